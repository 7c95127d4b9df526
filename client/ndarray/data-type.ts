/** Parses data types as the gateway describes them, and parses and prints NumPy's notation. */
import { isNumberName, numberTypes, isFixedBytesName, isTimeName } from '../../wire/data-types.js';
import { formatTypestr, parseTypestr } from '../../wire/numpy-type.js';
import { TransportError } from '../errors.js';
import { isList, isRecord, shown } from '../json/json.js';
import { type ValueLayout, type VariableName, packedStruct } from './layout.js';
import type { AnyNDArray } from './ndarray.js';
import { parseShape } from './shape.js';

/** A data type of fixed size (with its layout) or of variable length. */
export type ParsedType =
  | { readonly layout: ValueLayout; readonly variable?: undefined }
  | { readonly layout?: undefined; readonly variable: VariableName };

/** @throws TransportError BAD_RESPONSE for a malformed description or an unknown type */
export function parseDataType(dtype: unknown, depth = 0): ParsedType {
  if (!isRecord(dtype) || depth > MAX_DEPTH) throw unknownType(dtype);
  const { name, kind, itemSize, numpy, fields } = dtype;
  if (kind === 'OBJECT') return { variable: 'json' };
  if (itemSize === null && kind === 'STRING') return { variable: 'string' };
  if (itemSize === null && kind === 'BYTES') return { variable: 'variable_length_bytes' };
  if (kind === 'STRUCT' && isList(fields)) return { layout: structLayout(fields, depth) };
  if (typeof numpy !== 'string' || typeof name !== 'string') throw unknownType(name);
  // Uses the Zarr name, because NumPy has no name for some types.
  if (isNumberName(name)) return { layout: { name, itemSize: numberTypes[name].itemSize } };
  const layout = parseNumpyDescr(numpy);
  // NumPy's type string is `|V2` for raw bytes and for raw bits; the name distinguishes v3's `r16`.
  if (layout.name === 'raw_bytes' && /^r\d+$/.test(name)) return { layout: { ...layout, name: 'raw_bits' } };
  return { layout };
}

/** The gateway sends packed structs. */
function structLayout(fields: readonly unknown[], depth: number): ValueLayout {
  return packedStruct(
    fields.map((field) => {
      if (!isRecord(field) || typeof field['name'] !== 'string') throw unknownType(field);
      const { layout } = parseDataType(field['dtype'], depth + 1);
      if (layout === undefined) throw unknownType(field['name']);
      return { name: field['name'], layout, shape: parseShape(field['shape']) };
    }),
  );
}

// The NumPy type of an array's bytes, which the gateway expects together with base64 and byte strings.

type Descr = string | readonly (readonly [name: string, type: Descr, shape?: readonly number[]])[];

/** A type string, or a struct's descr as JSON; undefined for types of variable length. */
export function toNumpyDescr(array: AnyNDArray): string | undefined {
  const descr = describe(array);
  return typeof descr === 'object' ? JSON.stringify(descr) : descr;
}

function describe(array: AnyNDArray): Descr | undefined {
  const { dtype: name, unit = 'generic', scale } = array;
  const itemSize = array.size === 0 ? 0 : (array.bytes?.length ?? 0) / array.size;
  if (isTimeName(name)) return formatTypestr({ name, itemSize: 8, unit, scale });
  if (isNumberName(name)) return formatTypestr({ name, itemSize: numberTypes[name].itemSize });
  if (isFixedBytesName(name)) return formatTypestr({ name, itemSize });
  if (array.dtype !== 'struct') return undefined;
  const fields = Object.entries(array.data).map(([field, values]) => {
    const type = describe(values);
    const shape = values.shape.slice(array.ndim);
    if (type === undefined) return undefined;
    return shape.length === 0 ? ([field, type] as const) : ([field, type, shape] as const);
  });
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

// Parses NumPy type strings (`<f4`, `<M8[ns]`) and the descr of structs (`[["a", "<i4"], ["b", "<f8", [2]]]`), which
// give the layout of base64 values. See numpy.lib.format in NumPy's manual.

/** Bound on the nesting of structs. */
export const MAX_DEPTH = 32;

/** A type string, or a struct's descr as JSON text. @throws TransportError BAD_RESPONSE */
export function parseNumpyDescr(text: string): ValueLayout {
  return text.startsWith('[') ? parseStruct(parseJson(text), 0) : typestrLayout(text);
}

function parseDescr(descr: unknown, depth: number): ValueLayout {
  if (depth > MAX_DEPTH) throw unknownType('a struct nested too deeply');
  return typeof descr === 'string' ? typestrLayout(descr) : parseStruct(descr, depth);
}

function parseStruct(descr: unknown, depth: number): ValueLayout {
  if (!isList(descr)) throw unknownType(descr);
  return packedStruct(
    descr.map((field) => {
      if (!isList(field)) throw unknownType(descr);
      const [name, type, shape = []] = field;
      if (typeof name !== 'string' || !isList(shape) || !shape.every(isSize)) throw unknownType(descr);
      return { name, layout: parseDescr(type, depth + 1), shape: parseShape(shape) };
    }),
  );
}

function typestrLayout(text: string): ValueLayout {
  const layout = parseTypestr(text);
  if (layout === undefined) throw unknownType(text);
  return layout;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unknownType(text);
  }
}

export function unknownType(dtype: unknown): TransportError {
  return new TransportError('BAD_RESPONSE', `unknown data type in the response: ${shown(dtype)}`);
}
