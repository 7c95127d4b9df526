/**
 * Metadata of a Zarr v3 store whose chunks are computed on request, and the bytes of its chunks, without I/O. Dates are
 * integers with CF units, which every tool reads; their bytes stay the same.
 */
import { defined } from '../../../wire/guards.js';
import { stridesOf } from '../../../wire/shape.js';
import { type LabelledSet, type LabelledVariable, otherCoordinates } from '../labelled-set.js';
import {
  type Block,
  contentsAt,
  copyItems,
  copyStrided,
  type DataType,
  isTime,
  ItemStore,
  type JsonObject,
  type JsonValue,
  type LazySlice,
  NAT,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';

/** Maximum size of a chunk in bytes, unless the innermost dimension is longer. */
const CHUNK_BYTES = 4 * 2 ** 20;
/** Assumed size of a text, in bytes. */
const TEXT_BYTES = 32;

/** How values are stored. */
interface StoredForm {
  /** Data type of Zarr v3. */
  readonly dataType: string;
  readonly fillValue: JsonValue;
  readonly attributes: JsonObject;
}

const unitNames: Readonly<Record<string, string>> = {
  D: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
};

/** @throws UnsupportedError for types that common tools do not read */
export function storedForm(name: string, dtype: DataType): StoredForm {
  if (isTime(dtype)) {
    const units = dtype.scale === 1 ? unitNames[dtype.unit] : undefined;
    if (units !== undefined) {
      const own = { _FillValue: NAT };
      const date = { units: `${units} since 1970-01-01`, calendar: 'proleptic_gregorian' };
      const attributes = dtype.name === 'numpy.datetime64' ? { ...own, ...date } : { ...own, units };
      return { dataType: 'int64', fillValue: NAT, attributes };
    }
  }
  const row = forms[dtype.name];
  if (row !== undefined) return { dataType: dtype.name, fillValue: row, attributes: {} };
  throw new UnsupportedError(
    `"${name}" has values of type ${dtype.name}, which tools do not read as Zarr; select a field, or leave it out`,
  );
}

const forms: Readonly<Record<string, JsonValue>> = {
  bool: false,
  ...Object.fromEntries(
    ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'].map((name) => [name, 0]),
  ),
  ...Object.fromEntries(['float16', 'float32', 'float64'].map((name) => [name, 'NaN'])),
  complex64: ['NaN', 'NaN'],
  complex128: ['NaN', 'NaN'],
  string: '',
};

/** Shortens the outer dimensions, to whole chunks of the source, until a chunk is small enough. Lengths are at least 1. */
export function chunkShapeFor({
  slice,
}: {
  readonly slice: Pick<LazySlice, 'dtype' | 'shape' | 'dims'>;
}): readonly number[] {
  const itemSize = slice.dtype.itemSize ?? TEXT_BYTES;
  const lengths = slice.shape.map((size) => Math.max(1, size));
  for (const [d, length] of lengths.entries()) {
    const others = sizeOf(lengths) / length;
    const most = Math.floor(CHUNK_BYTES / (others * itemSize));
    if (most >= length) break;
    const natural = slice.dims[d]?.chunks?.longest ?? 1;
    lengths[d] = most >= natural ? most - (most % natural) : Math.max(1, most);
  }
  return lengths;
}

/** The documents of a store, by key. */
export function computedDocuments(set: LabelledSet): ReadonlyMap<string, JsonObject> {
  const all = [...set.variables, ...set.coordinates];
  const others = otherCoordinates(set);
  const arrays = new Map(all.map((variable) => [variable.name, arrayDocument(variable, set, others)]));
  const metadata = Object.fromEntries(arrays);
  const root = {
    zarr_format: 3,
    node_type: 'group',
    attributes: set.attributes,
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
  };
  return new Map<string, JsonObject>([
    ['zarr.json', root],
    ...[...arrays].map(([name, document]): [string, JsonObject] => [`${name}/zarr.json`, document]),
  ]);
}

function arrayDocument(
  variable: LabelledVariable,
  { variables }: LabelledSet,
  others: readonly string[],
): JsonObject {
  const { name, slice, dimensions } = variable;
  const { dataType, fillValue, attributes } = storedForm(name, slice.dtype);
  const related = variables.includes(variable) && others.length > 0 ? { coordinates: others.join(' ') } : {};
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: [...slice.shape],
    data_type: dataType,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [...chunkShapeFor(variable)] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: fillValue,
    codecs: [
      dataType === 'string' ? { name: 'vlen-utf8' } : { name: 'bytes', configuration: { endian: 'little' } },
    ],
    attributes: { ...variable.attributes, ...related, ...attributes },
    dimension_names: [...dimensions],
  };
}

/** The part of an array that a chunk covers. */
export interface ChunkBox {
  /** Start and end (exclusive) along each dimension. */
  readonly ranges: readonly { readonly start: number; readonly stop: number }[];
  readonly chunkShape: readonly number[];
}

/** @param index chunk coordinates; @returns undefined if the array has no such chunk */
export function chunkBox(variable: LabelledVariable, index: readonly number[]): ChunkBox | undefined {
  const chunkShape = chunkShapeFor(variable);
  const { shape } = variable.slice;
  if (index.length !== shape.length) return undefined;
  const ranges = index.map((at, d) => {
    const start = at * defined(chunkShape[d]);
    return { start, stop: Math.min(start + defined(chunkShape[d]), defined(shape[d])) };
  });
  return ranges.every(({ start, stop }) => start < stop) ? { ranges, chunkShape } : undefined;
}

/**
 * The bytes of a chunk.
 * @param block the values of the box
 * @throws UnsupportedError for missing text
 */
export function chunkBytes(name: string, block: Block, { chunkShape }: ChunkBox): Uint8Array {
  const { shape } = block;
  const [from, to] = [stridesOf(shape, 1), stridesOf(chunkShape, 1)];
  const dims = shape.map((count, d) => ({ count, from: defined(from[d]), to: defined(to[d]) }));
  if ('items' in block) {
    const placed = new ItemStore(sizeOf(chunkShape));
    copyItems(block.items, 0, placed, 0, dims);
    return textBytes(name, placed);
  }
  const { bytes, dtype } = block;
  if (sizeOf(shape) === sizeOf(chunkShape)) return bytes;
  const { itemSize } = dtype;
  const result = new Uint8Array(sizeOf(chunkShape) * itemSize);
  const scaled = dims.map((dim) => ({ count: dim.count, from: dim.from * itemSize, to: dim.to * itemSize }));
  copyStrided(bytes, 0, result, 0, scaled, itemSize);
  return result;
}

/** The codec `vlen-utf8`: the number of texts, then each with its length before it. */
function textBytes(name: string, items: ItemStore): Uint8Array {
  const texts = Array.from(items.lengths, (_, i) => {
    const text = contentsAt(items, i);
    if (text !== null) return text;
    throw new UnsupportedError(`"${name}" has missing texts, which Zarr cannot represent; leave it out`);
  });
  const total = texts.reduce((sum, text) => sum + 4 + text.length, 4);
  const result = new Uint8Array(total);
  const view = new DataView(result.buffer);
  view.setUint32(0, texts.length, true);
  let at = 4;
  for (const text of texts) {
    view.setUint32(at, text.length, true);
    result.set(text, at + 4);
    at += 4 + text.length;
  }
  return result;
}
