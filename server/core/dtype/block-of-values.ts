/**
 * Converts values from callers to a block of an array's data type. Everything that is written passes through
 * here:
 *
 * - a block of any data type, cast as in NumPy if that loses nothing but the precision of floats;
 * - nested lists, typed arrays, bare values; `{shape, data}` with a flat list;
 * - for structs: an object with one such form per field, or nested lists of objects with one value per field.
 *
 * Values are in the form of toTypedArray or JSON: numbers, bigints, decimal digits for integers; "NaN",
 * "Infinity", "-Infinity"; complex numbers as [re, im] (determined by the data type: the last level of lists
 * is always such pairs); dates as ISO text, Date or counts, null for NaT; text or bytes for S; bytes or
 * base64 for V, raw bits and variable-length bytes.
 */
import { isRecord } from '../../../wire/guards.js';
import { type Items, MISSING } from '../bytes/items.js';
import { sizeOf } from '../bytes/shape.js';
import { InputError } from '../errors.js';
import { castBlock, packItems } from './cast-block.js';
import { type Block, type DataType, isComplexName, isFixedSize } from './data-type.js';
import { fixedTraitsOf, traitsOf } from './families.js';
import { flattenNested, type FlatValues, isArrayLike, positionTextIn } from './nested-values.js';
import { type PackBlock, packRecords, packStructOfArrays } from './pack-struct.js';

/**
 * @param rank rank of the target; used only for data types whose values are lists (JSON, ragged)
 * @throws InputError naming the invalid value and the reason; nothing is wrapped, truncated or rounded to
 * an integer
 */
export function blockOfValues(values: unknown, dtype: DataType, rank: number): Block {
  if (isBlock(values)) return castBlock(checked(values), dtype);
  if (dtype.name === 'struct' && isRecord(values) && !isShaped(values))
    return packStructOfArrays(values, dtype, rank, blockOfValues);
  const flat = isShaped(values) ? shaped(values, dtype) : flatLists(values, dtype, rank);
  return packFlat(flat, dtype, rank, blockOfValues);
}

/**
 * Like blockOfValues, for untrusted values: lists, bare values and objects are never interpreted as a block
 * or as `{shape, data}`, regardless of their keys.
 * @param toBlock converts instances of the caller's classes to blocks; returns undefined for other values. Also
 *   called for the fields of structs
 */
export function blockOfLists(
  values: unknown,
  dtype: DataType,
  rank: number,
  toBlock: (values: unknown, dtype: DataType, rank: number) => Block | undefined,
): Block {
  const pack: PackBlock = (part, type, partRank) => {
    const block = toBlock(part, type, partRank);
    if (block !== undefined) return block;
    if (type.name === 'struct' && isRecord(part)) return packStructOfArrays(part, type, partRank, pack);
    return packFlat(flatLists(part, type, partRank), type, partRank, pack);
  };
  return pack(values, dtype, rank);
}

function packFlat({ shape, values }: FlatValues, dtype: DataType, rank: number, pack: PackBlock): Block {
  const position = positionTextIn(shape);
  if (dtype.name === 'struct') return packRecords(values, shape, dtype, rank, position, pack);
  if (isFixedSize(dtype)) return { dtype, shape, bytes: fixedTraitsOf(dtype).pack(values, position) };
  if (dtype.name === 'unknown') throw new InputError(`cannot write values of data type "${dtype.given}"`);
  return { dtype, shape, items: packItems(values, dtype, position) };
}

function shaped({ shape, data }: ShapedValues, dtype: DataType): FlatValues {
  const values = isComplexName(dtype.name) && ArrayBuffer.isView(data) ? pairs(data) : data;
  if (sizeOf(shape) === values.length) return { shape, values };
  throw new InputError(
    `got ${values.length} values for the shape [${shape.join(', ')}]; expected ${sizeOf(shape)}`,
  );
}

function flatLists(values: unknown, dtype: DataType, rank: number): FlatValues {
  const { listValues } = traitsOf(dtype);
  const levels = listValues === 'any' ? rank : undefined;
  const isLeaf =
    listValues === 'bytes' ? (value: unknown): boolean => value instanceof Uint8Array : undefined;
  if (!isComplexName(dtype.name) || !isArrayLike(values)) return flattenNested(values, isLeaf, levels);
  const nested = flattenNested(ArrayBuffer.isView(values) ? pairs(values) : values);
  const outer = nested.shape.slice(0, -1);
  if (nested.shape.at(-1) !== 2 && sizeOf(outer) > 0)
    throw new InputError(`expected complex numbers as [re, im]; got lists of ${nested.shape.at(-1)}`);
  return { shape: outer, values: pairs(nested.values) };
}

/** Converts a flat list of real and imaginary parts to a list of pairs. */
function pairs(parts: ArrayLike<unknown>): [unknown, unknown][] {
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, i) => [parts[2 * i], parts[2 * i + 1]]);
}

function isShape(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((length) => Number.isSafeInteger(length) && length >= 0);
}

interface ShapedValues {
  readonly shape: readonly number[];
  readonly data: ArrayLike<unknown>;
}

function isShaped(value: unknown): value is ShapedValues {
  return (
    isRecord(value) &&
    Object.keys(value).length === 2 &&
    isShape(value['shape']) &&
    isArrayLike(value['data'])
  );
}

/** Whether the value has the form of a block; its data type is trusted. */
function isBlock(value: unknown): value is Block {
  if (!isRecord(value) || !isShape(value['shape'])) return false;
  const dtype = value['dtype'];
  if (!isRecord(dtype) || typeof dtype['name'] !== 'string' || !('itemSize' in dtype)) return false;
  return dtype['itemSize'] === null ? isItems(value['items']) : value['bytes'] instanceof Uint8Array;
}

function checked(block: Block): Block {
  const [actual, needed] =
    'bytes' in block
      ? [block.bytes.length, sizeOf(block.shape) * block.dtype.itemSize]
      : [block.items.lengths.length, sizeOf(block.shape)];
  if ('items' in block) assertWithinBytes(block.items);
  if (actual === needed) return block;
  throw new InputError(
    `the block has ${actual} ${'bytes' in block ? 'bytes' : 'elements'}; its shape [${block.shape.join(', ')}] and data type ${block.dtype.name} require ${needed}`,
  );
}

function isItems(value: unknown): boolean {
  return (
    isRecord(value) &&
    value['starts'] instanceof Uint32Array &&
    value['lengths'] instanceof Uint32Array &&
    value['bytes'] instanceof Uint8Array
  );
}

function assertWithinBytes({ starts, lengths, bytes }: Items): void {
  const isWithin = lengths.every(
    (length, i) => length === MISSING || (starts[i] ?? NaN) + length <= bytes.length,
  );
  if (starts.length === lengths.length && isWithin) return;
  throw new InputError(`an element of the block extends past the end of its ${bytes.length} bytes`);
}
