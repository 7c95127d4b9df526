/**
 * Fill values of booleans, integers, floats and complex numbers, and (below) of text and bytes (v3 data
 * types, "Permitted fill values"; v2, "Fill value encoding"), and the deviations of existing files: 1.0 and
 * "1" for integers, 0 and 1 for booleans, bare NaN and Infinity; in v1 and v2, as accepted by zarr-python,
 * also true and false for numbers, decimal text for floats, "nan" and "inf", and bare numbers for complex
 * ones.
 */
import { numberTypes } from '../../../wire/data-types.js';
import { isJsonList, type JsonValue } from '../bytes/json.js';
import { type FloatName, floatPartOf, integerRange, type NumberType } from './data-type.js';
import { badFill, type FillContext } from './family/family.js';
import { elementAccess } from './number-access.js';

/** @returns the value's bytes, little-endian. @throws MetadataError if it is not a value of the type */
export function parseNumberFill(json: JsonValue, dtype: NumberType, context: FillContext): Uint8Array {
  if (dtype.name === 'bool') return parseBool(json, context);
  if (typeof json === 'boolean' && context.format < 3) return parseNumberFill(json ? 1 : 0, dtype, context);
  const range = integerRange(dtype.name);
  if (range !== undefined) return parseInteger(json, dtype, range, context);
  const part = floatPartOf(dtype.name) ?? 'float64';
  if (part === dtype.name) return parseFloat(json, part, context);
  return parseComplex(json, part, dtype, context);
}

function parseBool(json: JsonValue, context: FillContext): Uint8Array {
  if (typeof json === 'boolean') return Uint8Array.of(json ? 1 : 0);
  if (json === 0 || json === 1) return Uint8Array.of(json);
  throw badFill(json, 'true or false', context);
}

function parseInteger(
  json: JsonValue,
  dtype: NumberType,
  range: readonly [bigint, bigint],
  context: FillContext,
): Uint8Array {
  const value = integerOfJson(json);
  const [min, max] = range;
  if (value === undefined || value < min || value > max)
    throw badFill(json, `an integer from ${min} to ${max}`, context);
  return integerBytes(value, dtype.itemSize);
}

/** Converts any form of an integer (1, 1.0, "1", a bigint) to a bigint; undefined for other values. */
export function integerOfJson(json: JsonValue): bigint | undefined {
  if (typeof json === 'bigint') return json;
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : undefined;
  return typeof json === 'string' && /^[+-]?\d{1,20}$/.test(json)
    ? BigInt(json.replace(/^\+/, ''))
    : undefined;
}

/** Converts an integer to two's complement, little-endian. */
export function integerBytes(value: bigint, size: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value), true);
  return bytes.slice(0, size);
}

/** The bits of the canonical NaN of each floating-point type: quiet, positive, without a payload. */
const canonicalNaNs: Readonly<Record<FloatName, bigint>> = {
  float16: 0x7e00n,
  float32: 0x7fc00000n,
  float64: 0x7ff8000000000000n,
};

const specials: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

/** Python's lower-case words, which are accepted only in formats 1 and 2. */
const lenientSpecials: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, '-inf': -Infinity };

function specialOf(word: string, { format }: FillContext): number | undefined {
  if (Object.hasOwn(specials, word)) return specials[word];
  return format < 3 && Object.hasOwn(lenientSpecials, word) ? lenientSpecials[word] : undefined;
}

function parseFloat(json: JsonValue, name: FloatName, context: FillContext): Uint8Array {
  const size = numberTypes[name].itemSize;
  if (typeof json === 'number') return floatBytes(json, name);
  if (typeof json === 'bigint') return floatBytes(Number(json), name);
  if (typeof json === 'string') {
    const special = specialOf(json, context);
    if (special !== undefined) return floatBytes(special, name);
    // The hexadecimal digits start with the most significant one.
    if (context.format === 3 && /^0x[0-9a-fA-F]+$/.test(json) && json.length === 2 + 2 * size)
      return integerBytes(BigInt(json), size);
    if (context.format < 3 && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(json))
      return floatBytes(Number(json), name);
  }
  const hex = context.format === 3 ? `, or 0x and ${2 * size} hexadecimal digits` : '';
  throw badFill(json, `a number, "NaN", "Infinity", "-Infinity"${hex}`, context);
}

/**
 * Converts a number to bytes, rounded to the width of the type. Writes the bits of the canonical NaN, because
 * JavaScript engines may use any NaN.
 */
function floatBytes(value: number, name: FloatName): Uint8Array {
  const { itemSize } = numberTypes[name];
  if (Number.isNaN(value)) return integerBytes(canonicalNaNs[name], itemSize);
  const view = new DataView(new ArrayBuffer(itemSize));
  elementAccess[name].set(view, 0, value);
  return new Uint8Array(view.buffer);
}

function parseComplex(json: JsonValue, part: FloatName, dtype: NumberType, context: FillContext): Uint8Array {
  const parts = context.format < 3 && !isJsonList(json) ? [json, 0] : json;
  if (!isJsonList(parts) || parts.length !== 2) throw badFill(json, '[real, imaginary]', context);
  const [re = null, im = null] = parts;
  const bytes = new Uint8Array(dtype.itemSize);
  bytes.set(parseFloat(re, part, context));
  bytes.set(parseFloat(im, part, context), dtype.itemSize / 2);
  return bytes;
}

/** Converts one value to JSON. v2 cannot represent a NaN with a payload; it becomes "NaN". */
export function printNumberFill(bytes: Uint8Array, dtype: NumberType, format: 2 | 3): JsonValue {
  if (dtype.name === 'bool') return bytes[0] !== 0;
  if (integerRange(dtype.name) !== undefined) return printInteger(bytes, dtype.name.startsWith('u'));
  const part = floatPartOf(dtype.name) ?? 'float64';
  if (part === dtype.name) return printFloat(bytes, part, format);
  const half = dtype.itemSize / 2;
  return [printFloat(bytes.subarray(0, half), part, format), printFloat(bytes.subarray(half), part, format)];
}

function printInteger(bytes: Uint8Array, unsigned: boolean): number | bigint {
  const bits = unsignedOf(bytes);
  const value = unsigned ? bits : BigInt.asIntN(8 * bytes.length, bits);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Reads up to 8 little-endian bytes as one unsigned integer. */
function unsignedOf(bytes: Uint8Array): bigint {
  const padded = new Uint8Array(8);
  padded.set(bytes.subarray(0, 8));
  return new DataView(padded.buffer).getBigUint64(0, true);
}

function printFloat(bytes: Uint8Array, name: FloatName, format: 2 | 3): JsonValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const value = Number(elementAccess[name].get(view, 0));
  if (Number.isFinite(value)) return value;
  if (!Number.isNaN(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const bits = unsignedOf(bytes);
  if (format < 3 || bits === unsignedOf(floatBytes(NaN, name))) return 'NaN';
  return `0x${bits.toString(16).padStart(2 * bytes.length, '0')}`;
}
