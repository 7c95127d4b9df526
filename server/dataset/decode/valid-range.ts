/** `valid_range`, `valid_min`, `valid_max` (CF, section 2.5.1). */
import {
  blockOfValues,
  type JsonValue,
  type RealName,
  toTypedArray,
  type ValueRange,
} from '../../zarr/index.js';
import { badAttribute, itemsOf } from '../attributes.js';
import type { StoredVariable } from './decoding.js';

/**
 * @returns undefined if the variable has none of these attributes
 * @throws MetadataError if one is not a number, or `valid_range` is not two numbers
 */
export function parseValidRange(variable: StoredVariable): ValueRange | undefined {
  const range = parseNumbers(variable, 'valid_range', 2, 'two numbers');
  const min = parseNumbers(variable, 'valid_min', 1, 'a number');
  const max = parseNumbers(variable, 'valid_max', 1, 'a number');
  if (range === undefined && min === undefined && max === undefined) return undefined;
  return {
    min: range?.[0] ?? min?.[0] ?? -Infinity,
    max: range?.[1] ?? max?.[0] ?? Infinity,
  };
}

function parseNumbers(
  variable: StoredVariable,
  attribute: string,
  count: number,
  expected: string,
): readonly number[] | undefined {
  const json = variable.attributes[attribute];
  if (json === undefined || json === null) return undefined;
  const items = itemsOf(json);
  const numbers = items.flatMap((item) =>
    typeof item === 'number' || typeof item === 'bigint' ? [Number(item)] : [],
  );
  if (numbers.length !== count || items.length !== count)
    throw badAttribute(variable.name, attribute, json, `expected ${expected}`);
  return numbers;
}

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
 * Converts a number of an attribute to a stored value: `missing_value: -9.1` of a float32 variable is the
 * nearest float32.
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
export function numberOfAttribute(value: JsonValue | undefined): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'string' ? words[value.trim().toLowerCase()] : undefined;
}
