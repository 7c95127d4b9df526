import { defined } from '../../wire/guards.js';
import { InputError, TransportError } from '../errors.js';
import { isList, shown } from '../json/json.js';
import { nest, sizeOf, stridesOf } from '../../wire/shape.js';

export { nest, sizeOf, stridesOf };

/**
 * The position in C order of one index per dimension; negative indices count from the end.
 * @throws InputError BAD_SELECTION
 */
export function positionOf(indices: readonly number[], shape: readonly number[]): number {
  if (indices.length !== shape.length)
    throw new InputError(
      'BAD_SELECTION',
      `got ${indices.length} indices for an array of ${shape.length} dimensions`,
    );
  let position = 0;
  for (let d = 0; d < shape.length; d++) {
    const size = defined(shape[d]);
    const signed = defined(indices[d]);
    const index = signed < 0 ? signed + size : signed;
    if (!Number.isInteger(index) || index < 0 || index >= size)
      throw new InputError(
        'BAD_SELECTION',
        `index ${signed} is out of range for dimension ${d} of size ${size}`,
      );
    position = position * size + index;
  }
  return position;
}

/** Maximum number of dimensions. Zarr has no limit; NumPy allows 64. */
const MAX_DIMENSIONS = 256;

/** Parses a shape from the gateway. @throws TransportError BAD_RESPONSE */
export function parseShape(shape: unknown): number[] {
  if (!isList(shape)) throw new TransportError('BAD_RESPONSE', 'malformed response: a shape is not a list');
  const sizes = shape.length <= MAX_DIMENSIONS ? shape.map(parseSize) : [undefined];
  const known = sizes.filter((size) => size !== undefined);
  if (known.length === sizes.length && Number.isSafeInteger(sizeOf(known))) return known;
  throw new TransportError('BAD_RESPONSE', `malformed shape ${shown(shape)} in the response`);
}

/** Parses the lengths of chunks from the gateway. @throws TransportError BAD_RESPONSE */
export function parseChunkLengths(lengths: unknown): (number | [length: number, count: number])[] | null {
  if (lengths === null) return null;
  if (!isList(lengths))
    throw new TransportError('BAD_RESPONSE', 'malformed response: chunk lengths are not a list');
  return lengths.map((entry) => {
    const [length, count = 1] = parseShape(isList(entry) ? entry : [entry]);
    if (length === undefined)
      throw new TransportError('BAD_RESPONSE', 'malformed chunk lengths in the response');
    return isList(entry) ? [length, count] : length;
  });
}

/** Parses a size: a number, a bigint or decimal text. */
function parseSize(size: unknown): number | undefined {
  const count = typeof size === 'string' && !/^\d{1,16}$/.test(size) ? Number.NaN : Number(size);
  const isNumber = typeof size === 'number' || typeof size === 'string' || typeof size === 'bigint';
  return isNumber && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Maximum number of values that each require a JavaScript object of about 100 bytes. */
const MAX_OBJECTS = 2 ** 23;

/**
 * Parses the shape of values to be created. Limits the memory of values whose size the response does not bound:
 * elements of size 0, empty lists, and values that are far larger in memory.
 * @param objects number of objects per value; see `objectsOf`
 * @throws TransportError BAD_RESPONSE
 */
export function parseValueShape(sizes: unknown, objects: number): number[] {
  const shape = parseShape(sizes);
  const size = sizeOf(shape);
  const lists = size === 0 ? sizeOf(shape.map((length) => Math.max(length, 1))) : 0;
  if (size * objects <= MAX_OBJECTS && lists <= MAX_OBJECTS) return shape;
  throw new TransportError(
    'BAD_RESPONSE',
    `values of the shape ${shown(shape)} need more than ${MAX_OBJECTS} objects; request fewer values per call`,
  );
}

/** The shape of nested lists, taken from the first list of each level; empty for a bare value. */
export function listShape(values: unknown): number[] {
  const shape: number[] = [];
  for (let list = values; isList(list); list = list[0]) shape.push(list.length);
  return shape;
}
