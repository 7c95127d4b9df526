/**
 * Numbers in forms that JavaScript has no arrays for, which are read as wider ones: the small floats and integers of the
 * registry of Zarr v3 (zarr-extensions, data-types) and of ml_dtypes, and NumPy's long double.
 */
import { type FixedSizeType, type NumberName, numberType, type StructType } from './data-type.js';

/**
 * How the codes of the exponent's highest value are used. `ieee`: infinities and NaN; `nan`: NaN for all ones only (fn);
 * `negative zero`: NaN for what would be -0 (fnuz); `none`: for numbers only.
 */
type Specials = 'ieee' | 'nan' | 'negative zero' | 'none';

interface FloatForm {
  readonly exponent: number;
  readonly mantissa: number;
  readonly bias: number;
  readonly specials: Specials;
}

const floats: Readonly<Record<string, FloatForm>> = {
  bfloat16: { exponent: 8, mantissa: 7, bias: 127, specials: 'ieee' },
  float8_e3m4: { exponent: 3, mantissa: 4, bias: 3, specials: 'ieee' },
  float8_e4m3: { exponent: 4, mantissa: 3, bias: 7, specials: 'ieee' },
  float8_e4m3fn: { exponent: 4, mantissa: 3, bias: 7, specials: 'nan' },
  float8_e4m3b11fnuz: { exponent: 4, mantissa: 3, bias: 11, specials: 'negative zero' },
  float8_e4m3fnuz: { exponent: 4, mantissa: 3, bias: 8, specials: 'negative zero' },
  float8_e5m2: { exponent: 5, mantissa: 2, bias: 15, specials: 'ieee' },
  float8_e5m2fnuz: { exponent: 5, mantissa: 2, bias: 16, specials: 'negative zero' },
  float6_e2m3fn: { exponent: 2, mantissa: 3, bias: 1, specials: 'none' },
  float6_e3m2fn: { exponent: 3, mantissa: 2, bias: 3, specials: 'none' },
  float4_e2m1fn: { exponent: 2, mantissa: 1, bias: 1, specials: 'none' },
};

/** A stored number, or each part of a complex one. */
export interface NumberPart {
  readonly bits: number;
  readonly storedBytes: number;
  readonly widened: 'float32' | 'float64' | 'int8' | 'uint8';
  /** The value of a code; of long doubles, see `widenStored`. */
  readonly valueOf: (code: number) => number;
}

/** A data type that is read as a wider one. */
export interface SmallNumber {
  /** Name in metadata. */
  readonly name: string;
  readonly part: NumberPart;
  readonly isComplex: boolean;
  /** The data type of the values that are read. */
  readonly widened: FixedSizeType & { readonly name: NumberName };
  /** A data type with the same bytes, for the codecs. */
  readonly stored: FixedSizeType;
}

/** @returns undefined for other data types */
export function smallNumber(name: string): SmallNumber | undefined {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const made = make(name);
  if (made !== undefined) remembered.set(name, made);
  return made;
}

/** There are as many names as types. */
const remembered = new Map<string, SmallNumber>();

function make(name: string): SmallNumber | undefined {
  const [, complexName] = /^complex_(float16|bfloat16|float[468]_[a-z0-9]+)$/.exec(name) ?? [];
  const isLongComplex = name === '<c32' || name === '<c24';
  const part = partNamed(isLongComplex ? `<f${name === '<c32' ? 16 : 12}` : (complexName ?? name));
  if (part === undefined) return undefined;
  const isComplex = complexName !== undefined || isLongComplex;
  const widened = isComplex ? (part.widened === 'float64' ? 'complex128' : 'complex64') : part.widened;
  return {
    name,
    part,
    isComplex,
    widened: numberType(widened),
    stored: isComplex ? pairOf(part) : storedAs(part),
  };
}

function partNamed(name: string): NumberPart | undefined {
  const [, unsigned, digits] = /^(u?)int([24])$/.exec(name) ?? [];
  if (digits !== undefined) return integerPart(Number(digits), unsigned === '');
  if (name === '<f16' || name === '<f12')
    return { bits: 80, storedBytes: Number(name.slice(2)), widened: 'float64', valueOf: Number };
  if (name === 'float16') return floatPart({ exponent: 5, mantissa: 10, bias: 15, specials: 'ieee' });
  // Powers of two without a sign; 255 is NaN.
  if (name === 'float8_e8m0fnu')
    return {
      bits: 8,
      storedBytes: 1,
      widened: 'float32',
      valueOf: (code) => (code === 255 ? NaN : 2 ** (code - 127)),
    };
  const form = floats[name];
  return form === undefined || !Object.hasOwn(floats, name) ? undefined : floatPart(form);
}

function integerPart(bits: number, isSigned: boolean): NumberPart {
  const half = isSigned ? 2 ** (bits - 1) : Infinity;
  return {
    bits,
    storedBytes: 1,
    widened: isSigned ? 'int8' : 'uint8',
    valueOf: (code) => (code >= half ? code - 2 ** bits : code),
  };
}

function floatPart(form: FloatForm): NumberPart {
  const bits = 1 + form.exponent + form.mantissa;
  return {
    bits,
    storedBytes: bits > 8 ? 2 : 1,
    widened: 'float32',
    valueOf: (code) => floatOf(code, bits, form),
  };
}

/** IEEE 754, section 3.4, with fewer bits. */
function floatOf(code: number, bits: number, { exponent, mantissa, bias, specials }: FloatForm): number {
  const isNegative = code >= 2 ** (bits - 1);
  const size = code % 2 ** (bits - 1);
  const [power, fraction] = [Math.floor(size / 2 ** mantissa), size % 2 ** mantissa];
  const most = 2 ** exponent - 1;
  if (specials === 'ieee' && power === most) return fraction > 0 ? NaN : isNegative ? -Infinity : Infinity;
  if (specials === 'nan' && power === most && fraction === 2 ** mantissa - 1) return NaN;
  if (specials === 'negative zero' && isNegative && size === 0) return NaN;
  const value =
    power === 0
      ? fraction * 2 ** (1 - bias - mantissa)
      : (1 + fraction / 2 ** mantissa) * 2 ** (power - bias);
  return isNegative ? -value : value;
}

function storedAs({ storedBytes }: NumberPart): FixedSizeType {
  if (storedBytes > 2) return { name: 'raw_bits', itemSize: storedBytes };
  return numberType(storedBytes === 2 ? 'uint16' : 'uint8');
}

/** A byte order applies to each part of a complex number. */
function pairOf(part: NumberPart): StructType {
  const dtype = storedAs(part);
  const { storedBytes } = part;
  return {
    name: 'struct',
    itemSize: 2 * storedBytes,
    fields: [
      { name: 're', offset: 0, dtype, shape: [] },
      { name: 'im', offset: storedBytes, dtype, shape: [] },
    ],
  };
}

const tables = new WeakMap<NumberPart, Float32Array>();

/** The values of all codes: at most 65,536, which are computed once for each type. */
export function tableOf(part: NumberPart): Float32Array {
  const known = tables.get(part);
  if (known !== undefined) return known;
  const table = Float32Array.from({ length: 2 ** part.bits }, (_, code) => part.valueOf(code));
  tables.set(part, table);
  return table;
}

/**
 * The code of a value, rounded to the nearest, ties to even.
 * @returns undefined if the type has no such value: NaN, an infinity, or a number beyond the largest
 */
export function nearestCode(value: number, part: NumberPart): number | undefined {
  const table = tableOf(part);
  let best: number | undefined;
  let least = Infinity;
  for (const [code, own] of table.entries()) {
    if (Object.is(own, value)) return code;
    if (Number.isNaN(value) || !Number.isFinite(own) || !Number.isFinite(value)) continue;
    const distance = Math.abs(own - value);
    if (distance < least || (distance === least && code % 2 === 0)) [best, least] = [code, distance];
  }
  if (best === undefined) return undefined;
  const finite = table.filter(Number.isFinite);
  const isInside =
    value <= finite.reduce((a, b) => Math.max(a, b)) && value >= finite.reduce((a, b) => Math.min(a, b));
  return isInside && (part.widened === 'float32' || least === 0) ? best : undefined;
}
