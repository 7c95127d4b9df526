/**
 * Element transforms convert stored elements to decoded ones. A transform is plain, structured-cloneable data, so
 * that threads can run it with `applyTransform`. Estimated speed of transforms. Slow transforms are time-sliced.
 */
import { type FloatName, type IntegerName, isFloatName, isIntegerName } from '../../../wire/data-types.js';
import type { FixedSizeType, NumberType, TimeType } from '../../core/dtype/data-type.js';

/** Real data types that transforms support. */
export type RealName = IntegerName | FloatName;

export function isRealName(name: string): name is RealName {
  return isIntegerName(name) || isFloatName(name);
}

/** The valid range with inclusive ends, which are infinite if unbounded. Values outside are missing. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** Conversion of stored numbers: mask, multiply, add, mask again. */
export interface PackedNumbers {
  /** The type as which the stored bytes are read. */
  readonly name: RealName;
  /** Stored values that mark missing elements, exact for 64-bit integers. NaN is always missing. */
  readonly missing: readonly (number | bigint)[];
  readonly packedRange: ValueRange | undefined;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  readonly unpackedRange: ValueRange | undefined;
}

/** Describes numbers without scaling and masks. */
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

/** Reinterprets the bytes as another type. */
interface CopyTransform {
  readonly kind: 'copy';
  readonly sourceBytes: number;
  readonly dtype: FixedSizeType;
}

/** Converts packed numbers to floats (NaN if missing) or to booleans (true if not 0). */
export interface NumberTransform {
  readonly kind: 'numbers';
  readonly sourceBytes: number;
  /** The precision of the arithmetic, as in NumPy; float64 for booleans. */
  readonly dtype: NumberType<'float16' | 'float32' | 'float64' | 'bool'>;
  readonly values: PackedNumbers;
}

/** Complex numbers; both parts are NaN if missing. */
export interface ComplexTransform {
  readonly kind: 'complex';
  readonly sourceBytes: number;
  readonly dtype: NumberType<'complex64' | 'complex128'>;
  /** Missing values. Their parts are not NaN, and are rounded to the precision of the type. */
  readonly missing: readonly (readonly [re: number, im: number])[];
}

/** Converts packed numbers to counts of datetime64 or timedelta64; NaT if missing. */
export interface TickTransform {
  readonly kind: 'ticks';
  readonly sourceBytes: number;
  readonly dtype: TimeType;
  readonly values: PackedNumbers;
  readonly count: TickCount;
  /**
   * Number of ticks per count of `dtype`, and the error for a value that is not a multiple. May be undefined
   * if a count is one tick.
   */
  readonly unit: { readonly ticks: number; readonly message: string } | undefined;
  /** The first tick that the type can represent, and the error for an earlier value. */
  readonly earliest: { readonly tick: bigint; readonly message: string } | undefined;
  /** The error for a value whose ticks exceed 64 bits. The value is inserted between the two parts. */
  readonly beyond: readonly [before: string, after: string];
}

/** Conversion of numbers to ticks. */
export type TickCount =
  /** start + value x factor for unscaled integers, computed exactly. The factor is a positive integer. */
  | { readonly kind: 'integers'; readonly start: bigint; readonly factor: number }
  | {
      readonly kind: 'floats';
      readonly start: bigint;
      readonly factor: number;
      /** Rounding of the product: to the nearest tick, like cftime, or towards zero, like pandas. */
      readonly rounding: 'nearest' | 'towardsZero';
      /** Whether to round results next to a whole second towards it; see `createProductRounding`. */
      readonly snap: boolean;
    }
  /** Rounds durations in floats as xarray does; see `wholeDuration`. */
  | { readonly kind: 'durations'; readonly step: DurationStep; readonly nanoseconds: number };

/** The unit of the numbers: `count` times this many nanoseconds (1, 10^3, 10^6 or 10^9). */
export interface DurationStep {
  readonly count: number;
  readonly nanoseconds: number;
  /** Whether to compute in float32. */
  readonly isSingle: boolean;
}

export type ElementTransform = CopyTransform | NumberTransform | ComplexTransform | TickTransform;

/**
 * Time per element in nanoseconds on one processor, rounded up; 0 for copies. Includes gathering and scattering of
 * strided elements. Measured values: bench/records.md, "Measured constants".
 */
export function transformNsPerElement(transform: ElementTransform): number {
  switch (transform.kind) {
    case 'copy':
      return 0;
    case 'complex':
      return 10;
    case 'numbers':
      return transform.dtype.name === 'float16' ? 160 : isSlow(transform.values) ? 9 : 5;
    case 'ticks':
      return transform.count.kind === 'integers' ? 12 : 31;
  }
}

/** Whether numbers have more than one operation per element: 64-bit integers, and numbers with a valid range. */
function isSlow({ name, packedRange, unpackedRange }: PackedNumbers): boolean {
  return name === 'int64' || name === 'uint64' || packedRange !== undefined || unpackedRange !== undefined;
}
