/** Converts binary values in the results of any document to NDArrays. */
import { WireArray, TypedBytes } from '../../wire/cbor/typed-arrays.js';
import {
  isFixedBytesName,
  isNumberName,
  isTimeName,
  numberTypes,
  parseTimeUnit,
} from '../../wire/data-types.js';
import { isZarrqlError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import { parseDataType, type ParsedType } from '../ndarray/data-type.js';
import { MAX_DEPTH, unknownType } from '../ndarray/parse-numpy-type.js';
import { blockOf, createFromNative } from '../ndarray/from-native.js';
import { packedStruct, type ValueLayout } from '../ndarray/layout.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { parseShape } from '../ndarray/shape.js';

/**
 * Returns a copy with NDArrays. Their data type is taken from the sibling field `dtype { name kind numpy
 * itemSize }`. Otherwise a gateway in this process states it, or it is derived from CBOR, in which booleans are uint8,
 * times int64 and complex numbers pairs of floats.
 */
export function revive(value: unknown): unknown {
  if (isList(value)) return value.map(revive);
  if (!isRecord(value)) return value;
  if (value instanceof Uint8Array) return value;
  if (isValues(value)) return arrayOf(value, undefined);
  const { toJSON, dtype } = value;
  if (typeof toJSON === 'function') return Reflect.apply(toJSON, value, []);
  const type = knownType(dtype);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isValues(each) || isColumns(each, type) ? arrayOf(each, type) : revive(each),
    ]),
  );
}

function isValues(value: unknown): boolean {
  return value instanceof WireArray || blockOf(value) !== undefined;
}

/** Whether the value has one array per field of a struct type. */
function isColumns(value: unknown, type: ParsedType | undefined): boolean {
  return (
    type?.layout?.name === 'struct' &&
    isRecord(value) &&
    type.layout.fields.every(({ name }) => Object.hasOwn(value, name))
  );
}

function knownType(dtype: unknown): ParsedType | undefined {
  if (!isRecord(dtype)) return undefined;
  try {
    return parseDataType(dtype);
  } catch (error) {
    // The document did not select all required fields of `dtype`.
    if (isZarrqlError(error, 'BAD_RESPONSE')) return undefined;
    throw error;
  }
}

function arrayOf(values: unknown, type: ParsedType | undefined): AnyNDArray {
  const dimensions: readonly (string | null)[] = [];
  return createFromNative({ type: type ?? formType(values), values, dimensions });
}

/** Derives the data type from the encoding of the values, because the response does not contain it. */
function formType(values: unknown): ParsedType {
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
