import { elementBytes, TypedBytes, WireArray } from '../cbor/wire-array.js';
import { isList, isRecord } from '../json.js';
import type { ParsedType } from './data-type.js';
import { parseDataType } from './data-type.js';

/** The data type that values without a description have by their form alone. */
export function formType(values: unknown): ParsedType {
  const block = isRecord(values) ? values['block'] : undefined;
  if (isRecord(block)) return blockType(block['dtype']);
  if (!(values instanceof WireArray)) return { variable: 'json' };
  const { values: form } = values;
  if (form instanceof TypedBytes)
    return { layout: { name: form.element, itemSize: elementBytes(form.element) } };
  if (form.every((item) => typeof item === 'string' || item === null)) return { variable: 'string' };
  const bytes = form.every((item) => item instanceof Uint8Array || item === null);
  return { variable: bytes ? 'variable_length_bytes' : 'json' };
}

/** A gateway in this process says what it has. */
function blockType(dtype: unknown): ParsedType {
  const name = isRecord(dtype) ? dtype['name'] : undefined;
  if (name === 'string' || name === 'variable_length_bytes') return { variable: name };
  return isRecord(dtype) && typeof dtype['itemSize'] === 'number'
    ? parseDataType(describe(dtype))
    : { variable: 'json' };
}

/** As the schema's type DataType says it. */
function describe(dtype: unknown): unknown {
  if (!isRecord(dtype)) return undefined;
  const { name, itemSize, unit, scale, fields } = dtype;
  if (name !== 'struct' || !isList(fields))
    return { name, itemSize, numpy: numpyName(name, Number(itemSize), unit, scale) };
  return {
    kind: 'STRUCT',
    fields: fields.map((field) => (isRecord(field) ? { ...field, dtype: describe(field['dtype']) } : field)),
  };
}

function numpyName(name: unknown, itemSize: number, unit: unknown, scale: unknown): string | undefined {
  const [, word = '', bits] = /^([a-z]+)(\d+)$/.exec(String(name)) ?? [];
  const kinds: Readonly<Record<string, string>> = { int: '<i', uint: '<u', float: '<f', complex: '<c' };
  const kind = kinds[word];
  if (kind !== undefined && bits !== undefined) return `${kind}${Number(bits) / 8}`;
  if (name === 'bool') return '|b1';
  if (name === 'numpy.datetime64' || name === 'numpy.timedelta64') {
    const step = unit === 'generic' ? '' : `[${Number(scale)}${String(unit)}]`;
    return `<${name === 'numpy.datetime64' ? 'M' : 'm'}8${step}`;
  }
  if (name === 'fixed_length_utf32') return `<U${itemSize / 4}`;
  return name === 'null_terminated_bytes' ? `|S${itemSize}` : `|V${itemSize}`;
}
