/**
 * Converts numbers of attributes to stored values: `missing_value: -9.1` of a float32 variable is the nearest
 * float32.
 */
import { blockOfValues, toTypedArray, type JsonValue, type RealName } from '../../zarr/index.js';

interface IntegerBounds {
  readonly bits: number;
  readonly isSigned: boolean;
}

/** @returns undefined for types other than integers */
export function integerBounds(name: RealName): IntegerBounds | undefined {
  const match = /^(u?)int(\d+)$/.exec(name);
  return match === null ? undefined : { bits: Number(match[2]), isSigned: match[1] === '' };
}

/**
 * @param wraps whether signed and unsigned forms of an integer are equivalent (`_Unsigned`: 255 and -1 are
 * the same byte)
 * @returns undefined if no value of the type can equal it (-999.9 for an integer, 1e20 for an int16)
 */
export function storedNumber(
  value: number | bigint,
  type: RealName,
  wraps = false,
): number | bigint | undefined {
  const bounds = integerBounds(type);
  if (bounds !== undefined) return storedInteger(value, bounds, wraps);
  if (type === 'float32') return Math.fround(Number(value));
  if (type === 'float16') return nearestHalf(Number(value));
  return Number(value);
}

function storedInteger(
  value: number | bigint,
  { bits, isSigned }: IntegerBounds,
  wraps: boolean,
): number | bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  const exact = BigInt(value);
  const wrapped = isSigned ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact);
  const sameBits = wraps && exact >= -(2n ** BigInt(bits - 1)) && exact < 2n ** BigInt(bits);
  if (wrapped !== exact && !sameBits) return undefined;
  return bits === 64 ? wrapped : Number(wrapped);
}

function nearestHalf(value: number): number {
  const [half] = toTypedArray(blockOfValues([value], { name: 'float16', itemSize: 2 }, 1));
  return Number(half);
}

const words: Readonly<Record<string, number>> = {
  nan: NaN, infinity: Infinity, inf: Infinity, '+infinity': Infinity, '-infinity': -Infinity, '-inf': -Infinity,
}; // prettier-ignore

/** A number in an attribute, including the words that JSON writers use for non-finite numbers. */
export function numberOf(value: JsonValue | undefined): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'string' ? words[value.trim().toLowerCase()] : undefined;
}
