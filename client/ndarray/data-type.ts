/** Parses data types as the gateway describes them, and parses and prints NumPy's notation. */
import { isFixedBytesName, isNumberName, isTimeName, numberTypes } from '../../wire/data-types.js';
import { formatTypestr } from '../../wire/numpy-type.js';
import { isList, isRecord } from '../json/json.js';
import { packedStruct, type ValueLayout, type VariableName } from './layout.js';
import type { AnyNDArray } from './ndarray.js';
import { parseShape } from './shape.js';
import { MAX_DEPTH, parseNumpyDescr, unknownType } from './parse-numpy-type.js';

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
