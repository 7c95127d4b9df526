/** Parses the gateway's description of a data type. */
import { isNumberName, numberTypes } from '../../wire/data-types.js';
import { isList, isRecord } from '../json/json.js';
import type { ValueLayout, VariableName } from './layout.js';
import { packedStruct } from './layout.js';
import { MAX_DEPTH, parseNumpyDescr, unknownType } from './numpy-descr.js';
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
  // NumPy's type string is `|V2` for raw bytes and raw bits alike; the name distinguishes v3's `r16`.
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
