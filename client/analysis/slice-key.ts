/** Keys that are equal if requests are. */
import type { SliceRequest } from '../generated/operations.js';
import type { Connection } from '../transport/connection.js';

interface Source {
  readonly connection: Connection;
  readonly request: SliceRequest;
}

/** What a lazy slice requests. */
export const sources = new WeakMap<object, Source>();

/** Numbers for objects that have no value to compare. */
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A text that is equal for slices of one client that select the same, with equal arguments. Other objects equal only themselves. */
export function keyOf(slice: object, args: readonly unknown[]): string {
  const source = sources.get(slice);
  const parts = source ? [identityOf(source.connection), source.request] : [identityOf(slice)];
  return JSON.stringify([parts, args], (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    // JSON has no NaN, infinities or undefined.
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
