/** Size of JSON values as text. Cached per object, because unchanged metadata is the same object. */
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { nextTurn } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';

/** Number of values counted per turn of the event loop. */
const TURN_VALUES = 20_000;
/** Approximate size, in bytes, of a number, `true`, `false` or `null` as text. */
const SCALAR_BYTES = 8;

const known = new WeakMap<object, number | Promise<number>>();

/** @returns a promise if the value is large and its size is not known yet */
export function sizeOfJson(value: unknown): number | Promise<number> {
  if (typeof value !== 'object' || value === null) return leafSize(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  const counting = new Counting(value);
  const size = counting.advance();
  if (size !== undefined) {
    known.set(value, size);
    return size;
  }
  const later = finish(counting).then((total) => {
    known.set(value, total);
    return total;
  });
  known.set(value, later);
  return later;
}

async function finish(counting: Counting): Promise<number> {
  for (;;) {
    await nextTurn();
    const size = counting.advance();
    if (size !== undefined) return size;
  }
}

/** A walk over a JSON value that can be paused. */
class Counting {
  readonly #open: Iterator<unknown>[];
  #bytes = 0;

  constructor(value: object) {
    this.#open = [[value].values()];
  }

  /** @returns the size, or undefined if the count is not complete */
  advance(): number | undefined {
    for (let count = 0; count < TURN_VALUES; count++) {
      const innermost = this.#open.at(-1);
      if (innermost === undefined) return this.#bytes;
      const next = innermost.next();
      if (next.done === true) this.#open.pop();
      else this.#count(next.value);
    }
    return undefined;
  }

  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      this.#bytes += leafSize(value);
      return;
    }
    this.#bytes += 2;
    this.#open.push(Array.isArray(value) ? value.values() : membersOf(value));
  }
}

function* membersOf(object: object): Generator<unknown> {
  for (const [name, value] of Object.entries(object)) {
    yield name;
    yield value;
  }
}

/** Size of a scalar as text, in bytes, including the comma or colon after it. */
function leafSize(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) + 3 : SCALAR_BYTES;
}

/**
 * Charges all JSON values of a response (attributes, metadata, fill values and others) to the request.
 * Otherwise a few megabytes of metadata, requested under many aliases, would result in a response of
 * gigabytes.
 */
export function chargeJsonFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      if (getNamedType(field.type).name === 'JSON') chargeField(field);
  }
}

function chargeField(field: GraphQLField<unknown, GatewayContext>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    return value instanceof Promise
      ? value.then((resolved: unknown) => charged(resolved, context))
      : charged(value, context);
  };
}

/**
 * Charges the value and returns it, immediately if possible.
 * @throws LimitError if the request exceeds a limit; BusyError if no memory becomes free in time
 */
function charged(value: unknown, { budget, signal }: GatewayContext): unknown {
  const size = sizeOfJson(value);
  if (typeof size !== 'number')
    return size.then(async (bytes) => {
      await budget.chargeJson(bytes, signal);
      return value;
    });
  const granted = budget.chargeJson(size, signal);
  return granted === undefined ? value : granted.then(() => value);
}
