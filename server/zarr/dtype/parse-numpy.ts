/**
 * Data types of v1 and v2 metadata: NumPy's typestr (`"<f4"`, `">M8[10ms]"`) and descr (lists of fields); v2
 * specification, "Data type encoding". The result is the canonical type (little-endian, packed) with what has to be
 * turned around in each stored item to get there.
 */
import { swapsOf } from './families.js';
import { describeJson } from '../bytes/describe-json.js';
import type { JsonValue } from '../bytes/json.js';
import { printJson } from '../bytes/print-json.js';
import { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { addRepeated, countOf, type ByteSwap } from './byte-order.js';
import { isFixedSize, type DataType, type StructField, type TimeType, timeType } from './data-type.js';
import { isNumberName, numberType } from './number-types.js';
import { outermost, withinStruct, type Nesting } from './struct-bounds.js';
import { MAX_TIME_SCALE, parseTimeUnit } from '../../../wire/time-units.js';

export interface NumpyType {
  readonly dtype: DataType;
  /** What is big-endian in a stored item. */
  readonly swaps: readonly ByteSwap[];
}

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

/**
 * `|O` is the type `unknown` here: only its filter tells what the objects are. So are NumPy's types that JavaScript
 * has no numbers for (`<f16`, `<c32`).
 * @throws MetadataError for what NumPy would not write
 */
export function parseNumpyType(json: JsonValue): NumpyType {
  return parseType(json, 'dtype', outermost());
}

function parseType(json: JsonValue, at: string, nesting: Nesting): NumpyType {
  if (typeof json === 'string') return parseTypestr(json, at);
  if (Array.isArray(json)) return parseDescr(json, at, nesting);
  throw new MetadataError(
    `${at} is ${describeJson(json)}; it must be a NumPy type string such as "<f8", or a list of [name, type] fields`,
  );
}

function parseTypestr(text: string, at: string): NumpyType {
  const match = /^([<>|])([a-zA-Z])(\d{0,10})(?:\[(\d{0,10})([^\]\d][^\]]*)\])?$/.exec(text);
  const fail = (why: string) =>
    new MetadataError(`${at} ${JSON.stringify(text)} is no NumPy type string: ${why}`);
  if (match === null)
    throw fail('it must be a byte order (<, > or |), a kind and a size, such as "<f8" or "|S12"');
  const [, order = '', kind = '', digits = '', scale = '', unit] = match;
  const size = Number(digits);
  if (unit !== undefined && kind !== 'M' && kind !== 'm') throw fail(`the kind "${kind}" takes no unit`);
  if (kind === 'O') return { dtype: { name: 'unknown', itemSize: null, given: text }, swaps: [] };
  if (digits === '' || size > MAX_ITEM_SIZE) throw fail('its size is missing or too large');
  const dtype =
    kind === 'M' || kind === 'm' ? parseTime(kind, size, scale, unit) : parsePlain(kind, size, text);
  if (dtype === undefined) throw fail(`there is no kind "${kind}" of that size`);
  const swaps = swapsOf(dtype);
  if (order === '|' && swaps.length > 0)
    throw fail('its values have a byte order, so it must begin with < or >');
  return { dtype, swaps: order === '>' ? swaps : [] };
}

function parsePlain(kind: string, size: number, text: string): DataType | undefined {
  switch (kind) {
    case 'b':
      return size === 1 ? numberType('bool') : undefined;
    case 'i':
    case 'u':
    case 'f':
    case 'c':
      return parseNumber(kind, size, text);
    case 'S':
    case 'a':
      return { name: 'null_terminated_bytes', itemSize: size };
    case 'U':
      return size * 4 > MAX_ITEM_SIZE ? undefined : { name: 'fixed_length_utf32', itemSize: size * 4 };
    case 'V':
      return { name: 'raw_bytes', itemSize: size };
    default:
      return undefined;
  }
}

const kindNames: Readonly<Record<string, string>> = { i: 'int', u: 'uint', f: 'float', c: 'complex' };

function parseNumber(kind: string, size: number, text: string): DataType | undefined {
  const name = `${kindNames[kind] ?? ''}${size * 8}`;
  if (isNumberName(name)) return numberType(name);
  // Long doubles: real, but 80 or 128 bits wide as the machine likes.
  const long = kind === 'f' ? [12, 16] : kind === 'c' ? [24, 32] : [];
  return long.includes(size) ? { name: 'unknown', itemSize: null, given: text } : undefined;
}

/** NumPy writes the generic unit as `<M8`, without brackets. */
function parseTime(kind: 'M' | 'm', size: number, digits: string, text = 'generic'): TimeType | undefined {
  const scale = digits === '' ? 1 : Number(digits);
  const unit = parseTimeUnit(text);
  if (size !== 8 || unit === undefined || scale < 1 || scale > MAX_TIME_SCALE) return undefined;
  return timeType(kind === 'M' ? 'numpy.datetime64' : 'numpy.timedelta64', unit, scale);
}

function parseDescr(list: readonly JsonValue[], at: string, nesting: Nesting): NumpyType {
  if (list.length === 0)
    throw new MetadataError(`${at} is an empty list; a structured type has at least one field`);
  const within = withinStruct(nesting, list.length, at);
  const fields: StructField[] = [];
  const swaps: ByteSwap[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [i, entry] of list.entries()) {
    const field = parseField(entry, i, `${at}[${i}]`, within);
    const { dtype } = field.type;
    // What cannot be read at all makes the whole struct unreadable, but not the document wrong.
    if (!isFixedSize(dtype))
      return { dtype: { name: 'unknown', itemSize: null, given: printJson(list) }, swaps: [] };
    if (names.has(field.name))
      throw new MetadataError(`${at} has two fields named ${JSON.stringify(field.name)}`);
    names.add(field.name);
    const count = countOf(field.shape);
    if (!field.padding) fields.push({ name: field.name, offset, dtype, shape: field.shape });
    addRepeated(swaps, field.type.swaps, offset, dtype.itemSize, count);
    offset += dtype.itemSize * count;
    if (offset > MAX_ITEM_SIZE)
      throw new MetadataError(`${at} has items of more than ${MAX_ITEM_SIZE} bytes`);
  }
  return { dtype: { name: 'struct', itemSize: offset, fields }, swaps };
}

interface ParsedField {
  readonly name: string;
  readonly type: NumpyType;
  readonly shape: readonly number[];
  /** Bytes between fields, which NumPy writes as `["", "|V4"]`. */
  readonly padding: boolean;
}

function parseField(entry: JsonValue, i: number, at: string, nesting: Nesting): ParsedField {
  if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3)
    throw new MetadataError(
      `${at} is ${describeJson(entry)}; a field is [name, type] or [name, type, shape]`,
    );
  const [given, type, shape] = entry as readonly JsonValue[];
  // NumPy's [title, name].
  const name = Array.isArray(given) && given.length === 2 ? (given as readonly JsonValue[])[1] : given;
  if (typeof name !== 'string' || type === undefined)
    throw new MetadataError(`${at} has the name ${describeJson(name)}; it must be text`);
  const parsed = parseType(type, `${at} ("${name}")`, nesting);
  const padding = name === '' && parsed.dtype.name === 'raw_bytes';
  // NumPy calls a field without a name after its place.
  return { name: name === '' ? `f${i}` : name, type: parsed, shape: parseShape(shape, at), padding };
}

function parseShape(shape: JsonValue | undefined, at: string): readonly number[] {
  if (shape === undefined) return [];
  const list: readonly JsonValue[] = Array.isArray(shape) ? shape : [shape];
  if (list.length > metadataBounds.maxRank)
    throw new MetadataError(`${at} has a shape of too many dimensions`);
  const lengths = list.map((length) => {
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
      throw new MetadataError(`${at} has the shape ${describeJson(shape)}; it must be a list of integers`);
    return length;
  });
  // Checked as it grows, also where a later length is 0.
  if (lengths.reduce((product, length) => product * Math.max(length, 1), 1) > MAX_ITEM_SIZE)
    throw new MetadataError(`${at} has the shape ${describeJson(shape)}, which is too large`);
  return lengths;
}
