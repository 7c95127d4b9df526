/** Keys that are equal for equal requests. */
import type { SliceRequest } from '../generated/operations.js';
import type { Connection } from '../transport/connection.js';

interface Source {
  readonly connection: Connection;
  readonly request: SliceRequest;
}

/** The request of a lazy slice. */
export const sources = new WeakMap<object, Source>();

/** Numbers objects that can only be compared by identity. */
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/**
 * A key that is equal for slices of one client with equal selections and arguments. Other objects are compared by
 * identity.
 */
export function keyOf(slice: object, args: readonly unknown[]): string {
  const source = sources.get(slice);
  const parts = source ? [identityOf(source.connection), source.request] : [identityOf(slice)];
  return JSON.stringify([parts, args], (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    // JSON cannot represent NaN, infinities or undefined.
    return value === undefined || (typeof value === 'number' && !Number.isFinite(value))
      ? { special: String(value) }
      : value;
  });
}

function identityOf(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(object, lastIdentity);
  return lastIdentity;
}
