/** The gateway's description of a data type, as the layout of its values. */
import { TransportError } from '../errors.js';
import { isList, isRecord } from '../json.js';
import type { FieldLayout, ValueLayout, VariableName } from './layout.js';
import { parseNumpyDescr } from './numpy-descr.js';
import { parseShape, sizeOf } from './shape.js';

/** What a data type amounts to: values of one size, or of variable length. */
export type ParsedType =
  | { readonly layout: ValueLayout; readonly variable?: undefined }
  | { readonly layout?: undefined; readonly variable: VariableName };

/** @throws TransportError BAD_RESPONSE for what is no description, or of a type that this package does not know */
export function parseDataType(dtype: unknown): ParsedType {
  if (!isRecord(dtype)) throw unknownType(dtype);
  const { name, kind, itemSize, numpy, fields } = dtype;
  if (kind === 'OBJECT') return { variable: 'json' };
  if (itemSize === null && kind === 'STRING') return { variable: 'string' };
  if (itemSize === null && kind === 'BYTES') return { variable: 'variable_length_bytes' };
  if (kind === 'STRUCT' && isList(fields)) return { layout: structLayout(fields) };
  if (typeof numpy !== 'string' || typeof name !== 'string') throw unknownType(name);
  const layout = parseNumpyDescr(numpy);
  // NumPy writes both `|V2`; the name tells v3's `r16` apart.
  if (layout.name === 'raw_bytes' && /^r\d+$/.test(name)) return { layout: { ...layout, name: 'raw_bits' } };
  return { layout };
}

/** Packed, as the gateway gives structs. */
function structLayout(fields: readonly unknown[]): ValueLayout {
  const layouts: FieldLayout[] = [];
  let offset = 0;
  for (const field of fields) {
    if (!isRecord(field) || typeof field['name'] !== 'string') throw unknownType(field);
    const { layout } = parseDataType(field['dtype']);
    if (layout === undefined) throw unknownType(field['name']);
    const shape = parseShape(sizesOf(field['shape']));
    layouts.push({ name: field['name'], offset, layout, shape });
    offset += layout.itemSize * sizeOf(shape);
  }
  return { name: 'struct', itemSize: offset, fields: layouts };
}

/** A list of sizes as it came. @throws TransportError BAD_RESPONSE */
export function sizesOf(shape: unknown): readonly (number | string)[] {
  if (isList(shape) && shape.every((size) => ['number', 'string', 'bigint'].includes(typeof size)))
    return shape.map((size) => (typeof size === 'number' ? size : String(size)));
  throw new TransportError('BAD_RESPONSE', 'the gateway answered with a slice without a shape');
}

function unknownType(given: unknown): TransportError {
  const shown = typeof given === 'string' ? given : JSON.stringify(given);
  return new TransportError('BAD_RESPONSE', `the values have a data type this SDK does not know: ${shown}`);
}
