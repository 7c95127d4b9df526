/**
 * Element transforms: what turns stored elements into the elements that a reader sees. A transform is plain,
 * structured-cloneable data, so that threads can run it; `applyTransform` is the only interpreter.
 */
import type { FixedSizeType, NumberType, TimeType } from '../../dtype/data-type.js';

const realNames = [
  'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64',
] as const; // prettier-ignore

/** The types of real numbers that transforms compute with. */
export type RealName = (typeof realNames)[number];

export function isRealName(name: string): name is RealName {
  return realNames.some((real) => real === name);
}

/** Values outside are missing; both ends are inside, and infinite where there is no bound. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** How stored numbers become numbers: mask, then multiply, then add, then mask again. */
export interface PackedNumbers {
  /** The type to read the stored bytes as. */
  readonly name: RealName;
  /** Stored values that mean "missing", exact for 64-bit integers. NaN is always missing. */
  readonly missing: readonly (number | bigint)[];
  readonly packedRange: ValueRange | undefined;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  readonly unpackedRange: ValueRange | undefined;
}

/** Numbers that are what they stand for. */
export function plainNumbers(name: RealName): PackedNumbers {
  return {
    name,
    missing: [],
    scale: undefined,
    offset: undefined,
    packedRange: undefined,
    unpackedRange: undefined,
  };
}

/** The same bytes under another type. */
export interface CopyTransform {
  readonly kind: 'copy';
  readonly sourceBytes: number;
  readonly dtype: FixedSizeType;
}

/** Packed numbers to floats (NaN where missing) or to booleans (whatever is not 0 is true). */
export interface NumberTransform {
  readonly kind: 'numbers';
  readonly sourceBytes: number;
  /** Arithmetic is done and rounded in the precision of this type, as NumPy does; for booleans in float64. */
  readonly dtype: NumberType<'float16' | 'float32' | 'float64' | 'bool'>;
  readonly values: PackedNumbers;
}

/** Complex numbers; NaN in both parts where missing. */
export interface ComplexTransform {
  readonly kind: 'complex';
  readonly sourceBytes: number;
  readonly dtype: NumberType<'complex64' | 'complex128'>;
  /** Without NaN, rounded to the precision of the type. */
  readonly missing: readonly (readonly [re: number, im: number])[];
}

/** Packed numbers to counts of datetime64 or timedelta64; NaT where missing. */
export interface TickTransform {
  readonly kind: 'ticks';
  readonly sourceBytes: number;
  readonly dtype: TimeType;
  readonly values: PackedNumbers;
  readonly count: TickCount;
  /** The ticks that one count of `dtype` has, and the error of a value that is no multiple; undefined for one tick. */
  readonly unit: { readonly ticks: number; readonly message: string } | undefined;
  /** The first tick that the type may stand for, and the error of a value before it. */
  readonly earliest: { readonly tick: bigint; readonly message: string } | undefined;
  /** The error of a value whose ticks do not fit into 64 bits; the value stands between the two. */
  readonly beyond: readonly [before: string, after: string];
}

/** From numbers to ticks. */
export type TickCount =
  /** start + value x factor, exact; the values are integers that are not scaled. The factor is a positive integer. */
  | { readonly kind: 'integers'; readonly start: bigint; readonly factor: number }
  | {
      readonly kind: 'floats';
      readonly start: bigint;
      readonly factor: number;
      /** To the nearest tick as cftime does, or towards zero as pandas does. */
      readonly rounding: 'nearest' | 'towardsZero';
      /** See `createProductRounding`. */
      readonly snap: boolean;
    }
  /** Durations in floats as xarray counts them: see `wholeDuration`. */
  | { readonly kind: 'durations'; readonly step: DurationStep; readonly nanoseconds: number };

/** What the number 1 stands for: `count` times so many nanoseconds (1, 10^3, 10^6 or 10^9). */
export interface DurationStep {
  readonly count: number;
  readonly nanoseconds: number;
  /** Whether to compute in float32. */
  readonly isSingle: boolean;
}

export type ElementTransform = CopyTransform | NumberTransform | ComplexTransform | TickTransform;
