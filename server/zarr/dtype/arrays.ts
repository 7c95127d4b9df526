/** Blocks as what programs work with: typed arrays, lists of text, records; and single elements. */
import { UnsupportedError } from '../errors.js';
import { countOf } from './byte-order.js';
import { isFixedSize, type Block, type DataOf, type StructType, type TypeName } from './data-type.js';
import { widenHalves } from '../../../wire/float16.js';
import { itemAt } from './item-values.js';
import { textFromUtf32, withoutPadding } from '../../../wire/fixed-text.js';

export type ReadableName = Exclude<TypeName, 'unknown'>;
/** What any block becomes. */
export type AnyData = DataOf<ReadableName>;
type StructRecord = Readonly<Record<string, unknown>>;

/**
 * All values in C order: typed arrays for numbers (float16 widened; complex interleaved; times as counts), lists for
 * the others. Views of the block's bytes where they are aligned, else copies.
 */
export function toTypedArray(block: Block): AnyData {
  return readers[block.dtype.name](block);
}

/**
 * The same as the type that its caller expects, for code that knows the array.
 * @throws UnsupportedError where the block is of another type
 */
export function dataOf<N extends ReadableName>(block: Block, name: N): DataOf<N> {
  if (block.dtype.name !== name)
    throw new UnsupportedError(`the values are of the type ${block.dtype.name}, not ${name}`);
  return readers[name](block);
}

/**
 * One element by its place in C order, as `ScalarTypes` says: number, bigint, boolean, text, bytes, [re, im], a record.
 * @returns undefined beyond the end
 */
export function elementAt(block: Block, index: number): unknown {
  if (index < 0 || index >= countOf(block.shape)) return undefined;
  if ('items' in block) return itemAt(block.items, index, block.dtype);
  const { dtype, bytes } = block;
  const item = bytes.subarray(index * dtype.itemSize, (index + 1) * dtype.itemSize);
  const [first, second] = toTypedArray({ dtype, shape: [1], bytes: item });
  if (dtype.name === 'bool') return first !== 0;
  return dtype.name === 'complex64' || dtype.name === 'complex128' ? [first, second] : first;
}

/** Nested lists of elements, shaped like the block; a bare element where it is 0-d. */
export function toNested(block: Block): unknown {
  return nest(block, block.shape, 0);
}

function nest(block: Block, shape: readonly number[], start: number): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return elementAt(block, start);
  const step = countOf(inner);
  return Array.from({ length }, (_, i) => nest(block, inner, start + i * step));
}

/** The numbers of a block, at an address that is a multiple of `unit`. */
function bytesOf(block: Block, unit: number): Uint8Array {
  if (!('bytes' in block))
    throw new UnsupportedError(`values of the type ${block.dtype.name} are no numbers`);
  // Not by `slice`, which of a Buffer is a view.
  return block.bytes.byteOffset % unit === 0 ? block.bytes : new Uint8Array(block.bytes);
}

type ViewConstructor<T> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
};

function viewed<T>(View: ViewConstructor<T>): (block: Block) => T {
  const unit = View.BYTES_PER_ELEMENT;
  return (block) => {
    const bytes = bytesOf(block, unit);
    return new View(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / unit));
  };
}

/** One value for each `itemSize` bytes. */
function mapItems<T>(block: Block, read: (bytes: Uint8Array) => T): T[] {
  const bytes = bytesOf(block, 1);
  const size = block.dtype.itemSize ?? 0;
  return Array.from({ length: countOf(block.shape) }, (_, i) =>
    read(bytes.subarray(i * size, (i + 1) * size)),
  );
}

/** Items that must all be of one form; what a codec gives otherwise is a fault of the data. */
function itemsOf<T>(block: Block, isItem: (item: unknown) => item is T): readonly T[] {
  if (!('items' in block)) return [];
  const { items, dtype } = block;
  return Array.from({ length: items.lengths.length }, (_, i) => {
    const item = itemAt(items, i, dtype);
    if (isItem(item)) return item;
    throw new UnsupportedError(`not every value is of the type ${dtype.name}`);
  });
}

function readTexts(block: Block): string[] {
  const bytes = bytesOf(block, 4);
  const points = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const length = (block.dtype.itemSize ?? 0) / 4;
  return Array.from({ length: countOf(block.shape) }, (_, i) =>
    textFromUtf32(points, i * length, (i + 1) * length),
  );
}

function readRecords(block: Block): StructRecord[] {
  const { dtype } = block;
  return dtype.name === 'struct' ? mapItems(block, (bytes) => recordOf(dtype, bytes)) : [];
}

/** Fields by name; sub-arrays as nested lists. Without a prototype, since field names are foreign. */
function recordOf(dtype: StructType, bytes: Uint8Array): StructRecord {
  const record: Record<string, unknown> = { __proto__: null };
  for (const { name, offset, dtype: type, shape } of dtype.fields) {
    if (!isFixedSize(type)) continue;
    const part = bytes.subarray(offset, offset + type.itemSize * countOf(shape));
    record[name] = toNested({ dtype: type, shape, bytes: part });
  }
  return record;
}

const isTextOrNull = (item: unknown): item is string | null => item === null || typeof item === 'string';
const isBytesOrNull = (item: unknown): item is Uint8Array | null =>
  item === null || item instanceof Uint8Array;
const isAnything = (item: unknown): item is unknown => item !== undefined;

const readers: { readonly [N in ReadableName]: (block: Block) => DataOf<N> } = {
  bool: viewed(Uint8Array),
  int8: viewed(Int8Array),
  int16: viewed(Int16Array),
  int32: viewed(Int32Array),
  int64: viewed(BigInt64Array),
  uint8: viewed(Uint8Array),
  uint16: viewed(Uint16Array),
  uint32: viewed(Uint32Array),
  uint64: viewed(BigUint64Array),
  float16: (block) => widenHalves(viewed(Uint16Array)(block)),
  float32: viewed(Float32Array),
  float64: viewed(Float64Array),
  complex64: viewed(Float32Array),
  complex128: viewed(Float64Array),
  'numpy.datetime64': viewed(BigInt64Array),
  'numpy.timedelta64': viewed(BigInt64Array),
  null_terminated_bytes: (block) => mapItems(block, withoutPadding),
  fixed_length_utf32: readTexts,
  raw_bytes: (block) => mapItems(block, (bytes) => bytes),
  raw_bits: (block) => mapItems(block, (bytes) => bytes),
  struct: readRecords,
  string: (block) => itemsOf(block, isTextOrNull),
  variable_length_bytes: (block) => itemsOf(block, isBytesOrNull),
  json: (block) => itemsOf(block, isAnything),
  ragged: (block) => itemsOf(block, isAnything),
};
