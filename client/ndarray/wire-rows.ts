/**
 * The wire form of each data type: little-endian bytes, or a list of items (CBOR) or JSON values. One row per type;
 * structs have none.
 */
import { parseBase64 } from '../../wire/base64.js';
import {
  type FixedBytesName,
  elementArrays,
  isTimeName,
  type NumberName,
  numberTypes,
  type TimeName,
  textFromUtf32,
  withoutPadding,
  NAT,
} from '../../wire/data-types.js';
import { parseDatetime } from '../../wire/datetime.js';
import { widenHalves } from '../../wire/float16.js';
import { TransportError } from '../errors.js';
import { isList, isRecord, shown, type JsonValue } from '../json/json.js';
import { type ValueLayout, type VariableName, assertPresent, maskOf, viewAs } from './layout.js';
import type { DataOf, ScalarOf } from './ndarray.js';
import { packBytes, packUtf32 } from './pack.js';

export type NumericName = NumberName | TimeName;
type NumericData = DataOf<NumericName>;

/** Numbers and times, in typed arrays. */
export interface NumericRow {
  /** All values. @param bytes at an offset aligned to the elements */
  view(bytes: Uint8Array<ArrayBuffer>): NumericData;
  /**
   * Returns a function that reads one value by its position in C order. A missing integer of at most 32 bits or float
   * is NaN; reading another missing value throws.
   * @param mask 1 where a value is missing; ignored for complex numbers
   */
  read(data: NumericData, mask: Uint8Array | undefined): (at: number) => ScalarOf<NumericName>;
  /** Converts a JSON value to a number or bigint. @default parses text as a number that JSON cannot express */
  parseJson?(item: unknown, layout: ValueLayout): unknown;
}

/** The row of a type, which its form and element determine. */
export function numericRow(name: NumericName): NumericRow {
  const { form, element } = isTimeName(name) ? numberTypes.int64 : numberTypes[name];
  const view: NumericRow['view'] =
    element === 'float16'
      ? (bytes) => widenHalves(viewAs(elementArrays.float16)(bytes))
      : viewAs<NumericData>(elementArrays[element]);
  if (form === 'complex')
    return { view, read: (data) => (at) => [Number(data[2 * at]), Number(data[2 * at + 1])] };
  if (form === 'boolean') return { view, read: (data, mask) => assertPresent(mask, (at) => data[at] !== 0) };
  if (element !== 'int64' && element !== 'uint64')
    return { view, read: (data, mask) => (at) => (mask?.[at] === 1 ? Number.NaN : (data[at] ?? Number.NaN)) };
  const read: NumericRow['read'] = (data, mask) => assertPresent(mask, (at) => data[at] ?? NAT);
  return name === 'numpy.datetime64' ? { view, read, parseJson: parseTime } : { view, read };
}

/** One JavaScript value per array value. */
interface ItemValues<T> {
  readonly data: readonly T[];
  readonly read: (at: number) => T;
}

/** Text and byte strings of a fixed length. */
export interface FixedRow<T> {
  /** @param bytes at an offset aligned to the elements */
  fromBytes(bytes: Uint8Array<ArrayBuffer>, itemSize: number, count: number): ItemValues<T>;
  /** @param items null for a missing value. @throws TransportError BAD_RESPONSE for an item of another type */
  fromItems(
    items: readonly unknown[],
    itemSize: number,
  ): ItemValues<T> & { readonly mask: Uint8Array | undefined; readonly bytes: () => Uint8Array };
}

interface FixedItems<T> {
  /** @returns a function that reads the value stored in a range of the bytes */
  decode(bytes: Uint8Array<ArrayBuffer>): (from: number, to: number) => T;
  parse(item: unknown): T;
  /** The placeholder of a missing value. */
  readonly empty: T;
  pack(items: readonly T[], itemSize: number): Uint8Array;
}

function fixed<T>(items: FixedItems<T>): FixedRow<T> {
  const { empty } = items;
  return {
    fromBytes(bytes, itemSize, count) {
      const itemOf = items.decode(bytes);
      const data = Array.from({ length: count }, (_, i) => itemOf(i * itemSize, (i + 1) * itemSize));
      return { data, read: (at) => data[at] ?? empty };
    },
    fromItems(list, itemSize) {
      const mask = maskOf(list);
      const data = list.map((item) => (item === null ? empty : items.parse(item)));
      return {
        data,
        read: assertPresent(mask, (at) => data[at] ?? empty),
        mask,
        bytes: () => items.pack(data, itemSize),
      };
    },
  };
}

function byteStrings(trim: (item: Uint8Array) => Uint8Array): FixedRow<Uint8Array> {
  return fixed({
    decode: (bytes) => (from, to) => trim(bytes.subarray(from, to)),
    parse: parseByteString,
    empty: new Uint8Array(0),
    pack: packBytes,
  });
}

export const fixedRows: { readonly [N in FixedBytesName]: FixedRow<ScalarOf<N>> } = {
  null_terminated_bytes: byteStrings(withoutPadding),
  fixed_length_utf32: fixed({
    decode(bytes) {
      const codes = viewAs(Uint32Array)(bytes);
      return (from, to) => textFromUtf32(codes, from / 4, to / 4);
    },
    parse: parseFixedText,
    empty: '',
    pack: packUtf32,
  }),
  raw_bytes: byteStrings((item) => item),
  raw_bits: byteStrings((item) => item),
};

/** Creates the parser of a type of variable length. */
function listOf<T>(parse: (item: unknown) => T): (items: readonly unknown[]) => ItemValues<T | null> {
  return (items) => {
    const data = items.map(parse);
    return { data, read: (at) => data[at] ?? null };
  };
}

/** Parsers of lists with one item for each value. @throws TransportError BAD_RESPONSE for an item of another type */
export const variableRows = {
  string: listOf(parseText),
  variable_length_bytes: listOf(parseBytes),
  json: listOf(parseJsonValue),
} satisfies Record<VariableName, unknown>;

function parseTime(item: unknown, layout: ValueLayout): bigint {
  if (item === null) return NAT;
  const count =
    typeof item === 'string' && layout.name === 'numpy.datetime64' ? parseDatetime(item, layout) : undefined;
  if (count !== undefined) return count;
  throw new TransportError('BAD_RESPONSE', `malformed time ${shown(item)} in the response`);
}

function parseFixedText(item: unknown): string {
  if (typeof item === 'string') return item;
  throw malformed('text');
}

function parseByteString(item: unknown): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw malformed('byte strings');
}

function parseText(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  throw malformed('text');
}

function parseBytes(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  const text = parseText(value);
  if (text === null) return null;
  const bytes = parseBase64(text);
  if (bytes === undefined) throw malformed('base64');
  return bytes;
}

function parseJsonValue(value: unknown): JsonValue {
  if (isJson(value)) return value;
  throw malformed('JSON');
}

/** Checks only the outermost value, because a JSON parser returns only JSON. */
function isJson(value: unknown): value is JsonValue {
  return (
    value === null ||
    ['string', 'number', 'boolean'].includes(typeof value) ||
    isList(value) ||
    isRecord(value)
  );
}

function malformed(expected: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed values in the response: expected ${expected}`);
}
