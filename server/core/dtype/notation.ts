/**
 * The notations of data types in metadata, NumPy's and Zarr v3's: parses and prints them. Parses data types of v3
 * metadata: a name, or {name, configuration} (v3 core specification, "Data types", and the registry of
 * extensions). An unknown data type is not an error: its array can be opened, but its values are unsupported.
 * Names of data types for output: NumPy's typestr and descr (little-endian, packed) and the v3 forms.
 */
import { typeOfKind, formatTypestr } from '../../../wire/numpy-type.js';
import { describeJson } from '../bytes/print-json.js';
import type { JsonValue } from '../bytes/json.js';
import { parseNamed } from '../bytes/named-json.js';
import { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { type UnknownType, type DataType, isFixedSize, type StructType } from './data-type.js';
import { swapsOf, families, traitsOf } from './families.js';
import {
  parseDescr,
  type NumpyType,
  outermost,
  type Nesting,
  describeStruct,
} from './family/struct-numpy.js';

export type { NumpyType };

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

/**
 * Parses a data type of v1 or v2 metadata: NumPy's typestr (`"<f4"`, `">M8[10ms]"`) or descr (a list of
 * fields); v2 specification, "Data type encoding". The result is the canonical type (little-endian, packed)
 * with the parts that must be reversed in each stored element.
 *
 * `|O` is parsed as data type `unknown`: only its filter determines the type of the objects. NumPy's types
 * without an equivalent in JavaScript (`<f16`, `<c32`) are parsed as `unknown` too, and so are the small types
 * that tensorstore stores by name.
 * @throws MetadataError for an invalid form; LimitError for too many fields
 */
export function parseNumpyType(json: JsonValue): NumpyType {
  return parseType(json, 'dtype', outermost());
}

function parseType(json: JsonValue, at: string, nesting: Nesting): NumpyType {
  if (typeof json === 'string') return parseTypestr(json, at);
  if (Array.isArray(json)) return parseDescr(json, at, nesting, parseType);
  throw new MetadataError(
    `${at} is ${describeJson(json)}; expected a NumPy type string such as "<f8", or a list of [name, type] fields`,
  );
}

function parseTypestr(text: string, at: string): NumpyType {
  const match = /^([<>|])([a-zA-Z])(\d{0,10})(?:\[(\d{0,10})([^\]\d][^\]]*)\])?$/.exec(text);
  const fail = (why: string) =>
    new MetadataError(`${at} ${JSON.stringify(text)} is not a NumPy type string: ${why}`);
  if (match === null && isSmallType(text)) return { dtype: unknownType(text), swaps: [] };
  if (match === null)
    throw fail('it must be a byte order (<, > or |), a kind and a size, such as "<f8" or "|S12"');
  const [, order = '', kind = '', digits = '', scale = '', unit] = match;
  const size = Number(digits);
  if (unit !== undefined && kind !== 'M' && kind !== 'm')
    throw fail(`the kind "${kind}" does not take a unit`);
  if (kind === 'O') return { dtype: unknownType(text), swaps: [] };
  if (digits === '' || size > MAX_ITEM_SIZE) throw fail('its size is missing or too large');
  const scaleOrOne = scale === '' ? 1 : Number(scale);
  const dtype = isLongDouble(kind, size)
    ? unknownType(text)
    : typeOfKind({ kind, size, scale: scaleOrOne, unit });
  if (dtype === undefined || (dtype.itemSize ?? 0) > MAX_ITEM_SIZE)
    throw fail('its kind, size or unit is not supported');
  const swaps = swapsOf(dtype);
  if (order === '|' && swaps.length > 0) throw fail('the byte order is missing; it must start with < or >');
  return { dtype, swaps: order === '>' ? swaps : [] };
}

/** Whether a type is one of NumPy's long doubles, which have 80 or 128 bits, depending on the machine. */
function isLongDouble(kind: string, size: number): boolean {
  return (kind === 'f' && (size === 12 || size === 16)) || (kind === 'c' && (size === 24 || size === 32));
}

/** Whether a name is one of the types for machine learning, such as `bfloat16`, `float8_e4m3fn` and `int4`. */
function isSmallType(name: string): boolean {
  return /^(?:bfloat16|u?int[1-7]|float[1-8]_[a-z0-9]{1,20})$/.test(name);
}

function unknownType(given: string): UnknownType {
  return { name: 'unknown', itemSize: null, given };
}

/**
 * @throws MetadataError for an invalid form, or an invalid configuration of a known data type;
 * UnsupportedError for an unknown key; LimitError for too many fields
 */
export function parseDataType(json: JsonValue): DataType {
  return parseV3Type(json, 'data_type', outermost());
}

function parseV3Type(json: JsonValue, at: string, nesting: Nesting): DataType {
  const { name, configuration } = parseNamed(json, at);
  for (const family of families) {
    const dtype = family.parseV3({ name, configuration, json, at, nesting, parseField: parseV3Type });
    if (dtype !== undefined) return dtype;
  }
  return { name: 'unknown', itemSize: null, given: typeof json === 'string' ? json : name };
}

/**
 * Prints NumPy's type string: `<f4`, `|b1`, `<M8[10ms]`, `|S3`, `<U4`, `|V10` (also for v3's raw bits).
 * @param order byte order, if the data type has one
 * @returns undefined for structs (see `numpyDescr`) and for data types of variable length
 */
export function numpyTypestr(dtype: DataType, order: '<' | '>' = '<'): string | undefined {
  return isFixedSize(dtype) && dtype.name !== 'struct' ? formatTypestr(dtype, order) : undefined;
}

/** Prints NumPy's descr of a struct: `[["a", "<i4"], ["b", "<f8", [2]]]`; padding between fields is `["", "|V4"]`. */
export function numpyDescr(dtype: StructType): JsonValue {
  return describeStruct(dtype, (field) => numpyTypestr(field));
}

/**
 * The data type in v3 metadata.
 * @throws UnsupportedError for data types that v3 cannot represent, such as objects and structs with
 * sub-arrays or padding
 */
export function dataTypeJson(dtype: DataType): JsonValue {
  return traitsOf(dtype).v3Json();
}

/** All names that this engine reads and writes, for display. */
export function dataTypeNames(): readonly string[] {
  return families.flatMap(({ names }) => names);
}
