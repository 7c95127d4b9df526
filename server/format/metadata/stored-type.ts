/** Data types that are read as wider ones: their fill values, and the codec that widens them. */
import { type DataType, type Element, numberType } from '../../core/dtype/data-type.js';
import { parseFillV2, parseFillV3 } from '../../core/dtype/fill-value.js';
import { elementAt } from '../../core/dtype/arrays.js';
import { nearestCode, smallNumber, type SmallNumber } from '../../core/dtype/small-numbers.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonList, type JsonValue } from '../../core/bytes/json.js';
import { MetadataError } from '../../core/errors.js';
import { widenStored } from '../codec/array/widen-numbers.js';
import { WIDENED } from '../codec/array/widened.js';
import type { CodecSpec } from '../codec/codec.js';

/** The parts of an array's metadata that a widened data type determines. */
export interface WidenedType {
  /** The data type of the values that are read. */
  readonly dtype: DataType;
  readonly fill: Element;
  /** The data type that the codecs of the metadata see. */
  readonly stored: SmallNumber['stored'];
  /** The codec before those of the metadata. */
  readonly spec: CodecSpec;
}

/**
 * @param format of the metadata, which determines the forms of fill values
 * @returns undefined for data types that are read as they are, or not at all
 * @throws MetadataError for an invalid fill value
 */
export function widenedType(
  dtype: DataType,
  fillJson: JsonValue | undefined,
  format: 1 | 2 | 3,
): WidenedType | undefined {
  const small = dtype.name === 'unknown' ? smallNumber(dtype.given) : undefined;
  if (small === undefined) return undefined;
  const bytes = storedFill(small, fillJson, format);
  return {
    dtype: small.widened,
    fill: { bytes: widenStored(bytes, small) },
    stored: small.stored,
    spec: { name: WIDENED, configuration: { type: small.name, fill: [...bytes] } },
  };
}

function storedFill(small: SmallNumber, json: JsonValue | undefined, format: 1 | 2 | 3): Uint8Array {
  const { part, isComplex } = small;
  const result = new Uint8Array(small.stored.itemSize);
  if (format < 3 && (json === undefined || json === null)) return result;
  const parts = isComplex && isJsonList(json) ? json : [json];
  if (isComplex && format === 3 && parts.length !== 2) throw badFill(json, small);
  for (const [i, given] of parts.entries()) {
    const code = storedCode(given, small, format);
    for (let b = 0; b < Math.min(2, part.storedBytes); b++)
      result[i * part.storedBytes + b] = (code >> (8 * b)) & 0xff;
  }
  return result;
}

/** v3 also allows the bits of a float in hexadecimal digits. */
function storedCode(json: JsonValue | undefined, small: SmallNumber, format: 1 | 2 | 3): number {
  const { part } = small;
  const digits = 2 * part.storedBytes;
  if (
    typeof json === 'string' &&
    part.widened === 'float32' &&
    /^0x[0-9a-f]+$/i.test(json) &&
    json.length === 2 + digits
  )
    return Number(json) & (2 ** part.bits - 1);
  const wide = numberType(part.widened);
  const element = format === 3 ? parseFillV3(json, wide) : parseFillV2(json, wide, [], format);
  const value =
    'bytes' in element ? Number(elementAt({ dtype: wide, shape: [1], bytes: element.bytes }, 0)) : 0;
  if (part.widened === 'float64') {
    // Zero is the fill value of NumPy's long doubles unless it is given.
    if (value === 0) return 0;
    throw badFill(json, small);
  }
  const code = nearestCode(value, part);
  if (code === undefined) throw badFill(json, small);
  return code;
}

function badFill(json: JsonValue | undefined, { name }: SmallNumber): MetadataError {
  return new MetadataError(`fill_value is ${describeJson(json)}; expected a value of ${name}`);
}
