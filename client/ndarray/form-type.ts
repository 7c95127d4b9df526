import { TypedBytes, WireArray } from '../../wire/cbor/wire-array.js';
import { isFixedBytesName, isNumberName, isTimeName, numberTypes } from '../../wire/data-types.js';
import { parseTimeUnit } from '../../wire/time-units.js';
import { isList, isRecord } from '../json/json.js';
import type { ParsedType } from './data-type.js';
import { packedStruct } from './layout.js';
import type { ValueLayout } from './layout.js';
import { MAX_DEPTH, unknownType } from './numpy-descr.js';
import { parseShape } from './shape.js';

/** Derives the data type of values without a description from their form. */
export function formType(values: unknown): ParsedType {
  const block = isRecord(values) ? values['block'] : undefined;
  if (isRecord(block)) return blockType(block['dtype']);
  if (!(values instanceof WireArray)) return { variable: 'json' };
  const { values: form } = values;
  if (form instanceof TypedBytes)
    return { layout: { name: form.element, itemSize: numberTypes[form.element].itemSize } };
  if (form.every((item) => typeof item === 'string' || item === null)) return { variable: 'string' };
  const bytes = form.every((item) => item instanceof Uint8Array || item === null);
  return { variable: bytes ? 'variable_length_bytes' : 'json' };
}

/** The data type of a block from a gateway in this process. */
function blockType(dtype: unknown): ParsedType {
  const name = isRecord(dtype) ? dtype['name'] : undefined;
  if (name === 'string' || name === 'variable_length_bytes') return { variable: name };
  return isRecord(dtype) && typeof dtype['itemSize'] === 'number'
    ? { layout: parseLayout(dtype, 0) }
    : { variable: 'json' };
}

function parseLayout(dtype: unknown, depth: number): ValueLayout {
  if (!isRecord(dtype) || depth > MAX_DEPTH) throw unknownType(dtype);
  const { name, unit, scale, fields } = dtype;
  const itemSize = Number(dtype['itemSize']);
  if (name === 'struct' && isList(fields))
    return packedStruct(fields.map((field) => parseField(field, depth)));
  if (typeof name !== 'string') throw unknownType(name);
  if (isNumberName(name) || isFixedBytesName(name)) return { name, itemSize };
  const known = parseTimeUnit(String(unit));
  if (!isTimeName(name) || known === undefined) throw unknownType(name);
  return { name, itemSize: 8, unit: known, scale: Number(scale) };
}

function parseField(field: unknown, depth: number) {
  if (!isRecord(field) || typeof field['name'] !== 'string') throw unknownType(field);
  const layout = parseLayout(field['dtype'], depth + 1);
  return { name: field['name'], layout, shape: parseShape(field['shape']) };
}
