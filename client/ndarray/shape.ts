import { InputError, TransportError } from '../errors.js';
import { isList, shown } from '../json/json.js';
import { nest, sizeOf, stridesOf } from '../../wire/shape.js';

export { nest, sizeOf, stridesOf };

/** The place in C order of an index a dimension; negatives count from the end. @throws InputError BAD_SELECTION */
export function placeOf(indices: readonly number[], shape: readonly number[]): number {
  if (indices.length !== shape.length)
    throw new InputError(
      'BAD_SELECTION',
      `${indices.length} indices for an array of ${shape.length} dimensions`,
    );
  let place = 0;
  for (let d = 0; d < shape.length; d++) {
    const size = shape[d] ?? 0;
    const given = indices[d] ?? 0;
    const index = given < 0 ? given + size : given;
    if (!Number.isInteger(index) || index < 0 || index >= size)
      throw new InputError(
        'BAD_SELECTION',
        `index ${given} is out of range for dimension ${d} of size ${size}`,
      );
    place = place * size + index;
  }
  return place;
}

/** Lists are nested as deeply. Zarr has no bound; NumPy allows 64. */
const maxDimensions = 256;

/** A shape as the gateway writes it. @throws TransportError BAD_RESPONSE */
export function parseShape(shape: unknown): number[] {
  if (!isList(shape))
    throw new TransportError('BAD_RESPONSE', 'the gateway answered with a slice without a shape');
  const sizes = shape.length <= maxDimensions ? shape.map(parseSize) : [undefined];
  const known = sizes.filter((size) => size !== undefined);
  if (known.length === sizes.length && Number.isSafeInteger(sizeOf(known))) return known;
  throw new TransportError('BAD_RESPONSE', `the gateway gave the shape ${shown(shape)}`);
}

/** Sizes beyond 32 bits come as decimal text. */
function parseSize(size: unknown): number | undefined {
  const count = typeof size === 'string' && !/^\d{1,16}$/.test(size) ? Number.NaN : Number(size);
  const isNumber = typeof size === 'number' || typeof size === 'string' || typeof size === 'bigint';
  return isNumber && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Values that JavaScript needs an object for, a hundred bytes each: so many fit into memory. */
const maxObjects = 2 ** 23;

/**
 * The shape of values that are about to be made. What takes no bytes of the answer (items of size 0, and the lists
 * around no items) must be bounded by itself, and so must what takes far more in memory.
 * @param objects that each value takes; see `objectsOf`
 * @throws TransportError BAD_RESPONSE
 */
export function parseValueShape(given: unknown, objects: number): number[] {
  const shape = parseShape(given);
  const size = sizeOf(shape);
  const lists = size === 0 ? sizeOf(shape.map((length) => Math.max(length, 1))) : 0;
  if (size * objects <= maxObjects && lists <= maxObjects) return shape;
  throw new TransportError(
    'BAD_RESPONSE',
    `the gateway gave values of the shape ${shown(shape)}, whose items need more than ${maxObjects} objects; request less at once`,
  );
}

/** The shape of nested lists, by the first one of each depth; empty for a bare value. */
export function listShape(values: unknown): number[] {
  const shape: number[] = [];
  for (let list = values; isList(list); list = list[0]) shape.push(list.length);
  return shape;
}
