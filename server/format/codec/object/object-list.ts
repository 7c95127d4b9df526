/**
 * The format of numcodecs' `json2` and `msgpack2`: one list of the chunk's values, nested by its dimensions,
 * followed by NumPy's type string and the shape: `[["a", "b"], ["c", "d"], "|O", [2, 2]]`. Values are read
 * one at a time, so that only one parsed object is in memory.
 */
import { defined } from '../../../../wire/guards.js';
import { ItemStore, contentsAt } from '../../../core/bytes/items.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { encodeUtf8 } from '../../../core/bytes/text.js';
import { toTypedArray } from '../../../core/dtype/arrays.js';
import { isFixedSize, type FixedSizeType, type TypeName } from '../../../core/dtype/data-type.js';
import { fixedTraitsOf } from '../../../core/dtype/families.js';
import { itemOfContents } from '../../../core/dtype/item-values.js';
import { jsonTextOf } from '../../../core/dtype/json-contents.js';
import { numpyTypestr } from '../../../core/dtype/notation.js';
import { CodecError, InputError, LimitError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import type { ChunkRep, ChunkValues } from '../codec.js';
import { checkType, itemsToEncode } from './vlen.js';

/** Supported data types: objects, text, and everything that JSON can represent. */
const knownTypes = [
  'json', 'string', 'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16',
  'float32', 'float64', 'fixed_length_utf32',
] as const satisfies readonly TypeName[]; // prettier-ignore

/** @throws MetadataError if the chunk's data type is not in `knownTypes` */
export function checkListedType(codec: string, rep: ChunkRep): void {
  checkType(codec, rep, ...knownTypes);
}

/** @throws LimitError for a chunk whose encoded size already exceeds the limit */
export function checkStored(codec: string, { length }: Uint8Array, limit: number, unit = 'bytes'): void {
  if (length <= limit) return;
  throw new LimitError(`codec "${codec}": the chunk has ${length} ${unit}; at most ${limit} are allowed`, {
    excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: length }],
  });
}

/** A cursor over stored values. Validates the values that it reads; skipped values are only delimited. */
export interface ValueReader {
  at: number;
  readonly isAtEnd: boolean;
  /** Enters a list. @returns false if the next value is not a list; the position is then unchanged */
  enter(): boolean;
  /**
   * Moves to the next entry of the current list. Leaves the list if there is none.
   * @returns whether there is another entry
   */
  next(): boolean;
  skip(): void;
  /**
   * Reads the next value.
   * @throws CodecError for an invalid value; LimitError for a value of more than
   * `metadataBounds.maxObjectBytes`
   */
  value(): unknown;
  /** Reads the next value as an element of data type json. */
  jsonItem(items: ItemStore, i: number): void;
}

/** Number of fixed-size values that are converted together. */
const BATCH = 4096;

/** @throws CodecError for a list of another shape, or values of another data type */
export function readObjectList(codec: string, reader: ValueReader, rep: ChunkRep): ChunkValues {
  const { dtype } = rep;
  const start = reader.at;
  const { count, dims } = readEnd(codec, reader, rep);
  reader.at = start;
  const expected = sizeOf(rep.shape);
  const entries = count - 2;
  // Writers that flatten the chunk store a flat list, regardless of the declared shape.
  const isFlat = dims.length < 2 || (entries === expected && entries !== dims[0]);
  const walk = (each: (i: number) => void): void => {
    const actual = eachValue(reader, entries, isFlat ? 0 : dims.length - 1, expected, each);
    if (actual === expected) return;
    const count = actual > expected ? `more than ${expected}` : String(actual);
    throw wrong(codec, `${count} values; a chunk of shape [${rep.shape.join(', ')}] takes ${expected}`);
  };
  if (isFixedSize(dtype)) return { bytes: readNumbers(codec, reader, dtype, expected, walk) };
  const items = new ItemStore(expected);
  walk((i) => {
    if (dtype.name === 'string') items.set(i, textContents(codec, reader.value(), i));
    else reader.jsonItem(items, i);
  });
  return { items };
}

/** Skips the values and reads the data type and shape after them. */
function readEnd(
  codec: string,
  reader: ValueReader,
  { shape }: ChunkRep,
): { readonly count: number; readonly dims: readonly unknown[] } {
  const expected = sizeOf(shape);
  const most = Math.max(expected, ...shape) + 2;
  if (!reader.enter()) throw wrong(codec, 'no list ending with a data type and a shape');
  let [count, last] = [0, reader.at];
  while (reader.next()) {
    last = reader.at;
    if (++count > most) throw wrong(codec, `more than ${most - 2} values`);
    reader.skip();
  }
  if (!reader.isAtEnd) throw wrong(codec, 'data after its list');
  if (count < 2) throw wrong(codec, 'no list ending with a data type and a shape');
  const end = reader.at;
  reader.at = last;
  const stored = reader.value();
  reader.at = end;
  if (!Array.isArray(stored)) throw wrong(codec, 'no list ending with a shape');
  const dims: readonly unknown[] = stored;
  const product = dims.reduce<number>(
    (size, length) => size * (typeof length === 'number' ? length : NaN),
    1,
  );
  if (product !== expected || dims.length > metadataBounds.maxRank)
    throw wrong(codec, `a list with ${describeShape(dims)}; the chunk has shape [${shape.join(', ')}]`);
  return { count, dims };
}

/** Calls `each` for every value. @returns the number of values, at most one more than expected */
function eachValue(
  reader: ValueReader,
  entries: number,
  levels: number,
  expected: number,
  each: (i: number) => void,
): number {
  let found = 0;
  let isBroken = false;
  const walk = (level: number, most: number): void => {
    for (let entry = 0; entry < most && !isBroken && reader.next(); entry++) {
      if (level > 0) {
        isBroken = !reader.enter();
        if (!isBroken) walk(level - 1, Infinity);
      } else if (++found > expected) isBroken = true;
      else each(found - 1);
    }
  };
  reader.enter();
  walk(levels, entries);
  return found;
}

function textContents(codec: string, value: unknown, i: number): Uint8Array | null {
  if (value === null) return null;
  if (typeof value !== 'string')
    throw new CodecError(`codec "${codec}": element ${i} is not text, but the array's data type is string`);
  try {
    return encodeUtf8(value);
  } catch (cause) {
    throw new CodecError(`codec "${codec}": element ${i} has a lone surrogate`, { cause });
  }
}

function readNumbers(
  codec: string,
  reader: ValueReader,
  dtype: FixedSizeType,
  count: number,
  walk: (each: (i: number) => void) => void,
): Uint8Array {
  const traits = fixedTraitsOf(dtype);
  const bytes = new Uint8Array(count * dtype.itemSize);
  let [batch, first]: [unknown[], number] = [[], 0];
  const flush = (): void => {
    if (dtype.name === 'struct') return;
    try {
      bytes.set(
        traits.pack(batch, (i) => `element ${first + i}`),
        first * dtype.itemSize,
      );
    } catch (cause) {
      if (cause instanceof InputError) throw new CodecError(`codec "${codec}": ${cause.detail}`, { cause });
      throw cause;
    }
    first += batch.length;
    batch = [];
  };
  walk(() => {
    batch.push(reader.value());
    if (batch.length === BATCH) flush();
  });
  flush();
  return bytes;
}

/** Writes a chunk's values nested by its dimensions. */
interface ValueWriter {
  openList(length: number): void;
  /** @param i index of the element in C order */
  element(i: number): void;
  closeList(): void;
}

export function writeNested(writer: ValueWriter, shape: readonly number[]): void {
  const dims = shape.length === 0 ? [1] : shape;
  let next = 0;
  const write = (depth: number): void => {
    const length = defined(dims[depth]);
    const isLast = depth === dims.length - 1;
    for (let i = 0; i < length; i++) {
      if (isLast) writer.element(next++);
      else {
        writer.openList(defined(dims[depth + 1]));
        write(depth + 1);
        writer.closeList();
      }
    }
  };
  write(0);
}

/**
 * Describes the shape of an untrusted list for an error message, even if its entries have no text
 * representation.
 */
function describeShape(dims: readonly unknown[]): string {
  const isShape = dims.length <= 64 && dims.every((length) => typeof length === 'number');
  return isShape ? `shape [${dims.join(', ')}]` : 'an invalid shape';
}

function wrong(codec: string, contents: string): CodecError {
  return new CodecError(`codec "${codec}": the chunk contains ${contents}`);
}

/** The value, or its JSON text for data type json. */
export type ChunkElement = { readonly value: unknown } | { readonly json: Uint8Array };

interface ChunkElements {
  /** NumPy's name of the data type. */
  readonly typestr: string;
  /** @param i index of the element in C order; must ascend from call to call */
  at(i: number): ChunkElement;
}

/** @throws InputError if the number of variable-length values differs from the chunk's */
export function chunkElements(codec: string, values: ChunkValues, rep: ChunkRep): ChunkElements {
  const { dtype } = rep;
  if (isFixedSize(dtype) && 'bytes' in values) return fixedElements(values.bytes, dtype);
  const items = itemsToEncode(codec, values, rep);
  return {
    typestr: '|O',
    at(i) {
      const contents = contentsAt(items, i);
      if (contents === null) return { value: null };
      const json = dtype.name === 'json' ? jsonTextOf(contents) : undefined;
      return json === undefined ? { value: itemOfContents(contents, dtype) } : { json };
    },
  };
}

function fixedElements(bytes: Uint8Array, dtype: FixedSizeType): ChunkElements {
  let [first, batch]: [number, ArrayLike<unknown>] = [0, []];
  const isBool = dtype.name === 'bool';
  return {
    typestr: numpyTypestr(dtype) ?? '|O',
    at(i) {
      if (i >= first + batch.length) {
        first = i;
        const part = bytes.subarray(i * dtype.itemSize, (i + BATCH) * dtype.itemSize);
        const count = dtype.itemSize === 0 ? BATCH : part.length / dtype.itemSize;
        batch = toTypedArray({ dtype, shape: [count], bytes: part });
      }
      if (i < first) throw new CodecError(`element ${i} is out of order; expected element ${first} or later`);
      const value = batch[i - first];
      return { value: isBool ? value !== 0 : value };
    },
  };
}
