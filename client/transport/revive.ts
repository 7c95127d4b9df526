/** Converts binary values in the results of any document to NDArrays. */
import { WireArray } from '../../wire/cbor/wire-array.js';
import { isZarrqlError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import type { ParsedType } from '../ndarray/data-type.js';
import { blockOf, createFromNative } from '../ndarray/from-native.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { formType } from '../ndarray/form-type.js';

/**
 * Returns a copy with NDArrays. Their data type is taken from the sibling field `dtype { name kind numpy
 * itemSize }`. Otherwise it is derived from the encoding, in which booleans are uint8, times int64 and
 * complex numbers pairs of floats.
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
    // The document did not select all of `dtype`.
    if (isZarrqlError(error, 'BAD_RESPONSE')) return undefined;
    throw error;
  }
}

function arrayOf(values: unknown, type: ParsedType | undefined): AnyNDArray {
  const dimensions: readonly (string | null)[] = [];
  return createFromNative({ type: type ?? formType(values), values, dimensions });
}
