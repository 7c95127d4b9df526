/** The arrays of a combined store: their documents, and which member has each stored object. */
import { defined } from '../../wire/guards.js';
import {
  type ChunkKeys,
  type Documents,
  InputError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NAT,
} from '../zarr/index.js';
import { type MemberArray, documentsOf } from './member-facts.js';

/** Where the objects of an array are. */
export type ArraySource =
  /** All objects are those of one member. */
  | { readonly kind: 'member'; readonly member: number }
  /** The objects of the members follow each other. */
  | { readonly kind: 'objects'; readonly axis: number; readonly parts: readonly Part[] }
  /** Chunks are computed from the values of the members. */
  | {
      readonly kind: 'values';
      readonly axis: number;
      readonly parts: readonly Part[];
      readonly dates: CommonDates | undefined;
      /** Size of an element in bytes; undefined if it is not the same in the members and in memory. */
      readonly itemSize: number | undefined;
    }
  /** All values are one chunk in memory. */
  | { readonly kind: 'held'; readonly bytes: Uint8Array };

/** Consecutive positions or objects, which belong to one member. */
export interface Part {
  readonly member: number;
  /** Start along the dimension, and end, exclusive. */
  readonly start: number;
  readonly stop: number;
}

/** The common form of dates whose units differ: counts since 1970-01-01 of the calendar. */
export interface CommonDates {
  readonly tick: 's' | 'ms' | 'us' | 'ns';
  readonly calendar: string;
}

export interface CombinedArray {
  readonly path: string;
  readonly documents: Documents;
  readonly shape: readonly number[];
  /** Shape of the stored objects. */
  readonly objectShape: readonly number[];
  /** Number of objects along each dimension. @default that of objects of this shape */
  readonly counts?: readonly number[] | undefined;
  /** How the keys of the objects are written. */
  readonly keys: ChunkKeys;
  readonly source: ArraySource;
}

const tickUnits = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' };

/** The documents with another shape. */
export function withShape(documents: Documents, shape: readonly number[]): Documents {
  return changed(documents, { shape: [...shape] });
}

/** The keys of chunks that are plain values. */
export function plainKeys(format: 2 | 3): ChunkKeys {
  return format === 3 ? { encoding: 'default', separator: '/' } : { encoding: 'v2', separator: '.' };
}

/** The documents of an array whose chunks are plain values in C order. */
export function plainDocuments(
  { isText, widened, documents: text }: MemberArray,
  shape: readonly number[],
  chunkShape: readonly number[],
): Documents {
  const documents = documentsOf(text);
  if (documents['zarr.json'] !== undefined)
    return changed(documents, {
      shape: [...shape],
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [...chunkShape] } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      codecs: [
        isText === true ? { name: 'vlen-utf8' } : { name: 'bytes', configuration: { endian: 'little' } },
      ],
      ...widened,
    });
  const zarray = documents['.zarray'];
  const stored = isJsonObject(zarray) ? zarray['dtype'] : undefined;
  return changed(documents, {
    shape: [...shape],
    chunks: [...chunkShape],
    compressor: null,
    filters: isText === true ? [{ id: 'vlen-utf8' }] : null,
    order: 'C',
    dtype: littleEndian(stored ?? null),
    dimension_separator: '.',
    ...widened,
  });
}

/** The documents of dates as 64-bit integers. @param consumed the attributes that decoded the stored dates */
export function dateDocuments(
  facts: MemberArray,
  shape: readonly number[],
  chunkShape: readonly number[],
  { tick, calendar }: CommonDates,
  consumed: ReadonlySet<string>,
): Documents {
  const documents = plainDocuments(facts, shape, chunkShape);
  const attributes = {
    ...Object.fromEntries(Object.entries(attributesOf(documents)).filter(([name]) => !consumed.has(name))),
    units: `${tickUnits[tick]} since 1970-01-01`,
    calendar,
    _FillValue: NAT,
  };
  if (documents['zarr.json'] !== undefined)
    return changed(documents, { data_type: 'int64', fill_value: NAT, attributes });
  return { ...changed(documents, { dtype: '<i8', fill_value: null }), '.zattrs': attributes };
}

export function attributesOf(documents: Documents): JsonObject {
  const document = documents['zarr.json'];
  const found = isJsonObject(document) ? document['attributes'] : documents['.zattrs'];
  return isJsonObject(found) ? found : {};
}

/** Changes members of the main document. */
function changed(documents: Documents, members: JsonObject): Documents {
  const name = documents['zarr.json'] === undefined ? '.zarray' : 'zarr.json';
  const document = documents[name];
  if (!isJsonObject(document)) throw new InputError(`the document ${name} is no object`);
  return { ...documents, [name]: { ...document, ...members } };
}

/** NumPy's data type with its bytes in the order in which values are in memory. */
function littleEndian(dtype: JsonValue): JsonValue {
  if (typeof dtype === 'string') return dtype.replace('>', '<');
  if (!Array.isArray(dtype)) return dtype;
  return dtype.map((field: JsonValue) => (Array.isArray(field) ? field.map((part: JsonValue, i) => (i === 1 ? littleEndian(part) : part)) : field)); // prettier-ignore
}

/** The parts of an axis between two positions, in order. */
export function partsWithin(parts: readonly Part[], start: number, stop: number): Part[] {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (defined(parts[middle]).stop <= start) low = middle + 1;
    else high = middle;
  }
  const found: Part[] = [];
  for (let i = low; i < parts.length; i++) {
    const part = defined(parts[i]);
    if (part.start >= stop) break;
    found.push(part);
  }
  return found;
}
