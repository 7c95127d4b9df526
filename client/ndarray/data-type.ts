/** The gateway's description of a data type, as the layout of its values. */
import { isList, isRecord } from '../json/json.js';
import type { ValueLayout, VariableName } from './layout.js';
import { packedStruct } from './layout.js';
import { maxDepth, parseNumpyDescr, unknownType } from './numpy-descr.js';
import { parseShape } from './shape.js';

/** What a data type amounts to: values of one size, or of variable length. */
export type ParsedType =
  | { readonly layout: ValueLayout; readonly variable?: undefined }
  | { readonly layout?: undefined; readonly variable: VariableName };

/** @throws TransportError BAD_RESPONSE for what is no description, or of a type that this package does not know */
export function parseDataType(dtype: unknown, depth = 0): ParsedType {
  if (!isRecord(dtype) || depth > maxDepth) throw unknownType(dtype);
  const { name, kind, itemSize, numpy, fields } = dtype;
  if (kind === 'OBJECT') return { variable: 'json' };
  if (itemSize === null && kind === 'STRING') return { variable: 'string' };
  if (itemSize === null && kind === 'BYTES') return { variable: 'variable_length_bytes' };
  if (kind === 'STRUCT' && isList(fields)) return { layout: structLayout(fields, depth) };
  if (typeof numpy !== 'string' || typeof name !== 'string') throw unknownType(name);
  const layout = parseNumpyDescr(numpy);
  // NumPy writes both `|V2`; the name tells v3's `r16` apart.
  if (layout.name === 'raw_bytes' && /^r\d+$/.test(name)) return { layout: { ...layout, name: 'raw_bits' } };
  return { layout };
}

/** Packed, as the gateway gives structs. */
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
