/** The range of a colour scale. */
import {
  blockOfValues,
  type DataType,
  dataOf,
  InputError,
  invalidValue,
  isZarrError,
  type JsonObject,
  UnsupportedError,
  isTime,
} from '../zarr/index.js';
import { itemsOf } from '../dataset/attributes.js';

export type ScaleName = 'LINEAR' | 'LOG';

/** Numbers of the data type; ticks for dates and durations. */
export interface ScaleRange {
  readonly min: number;
  readonly max: number;
}

/**
 * @throws InputError unless both ends are finite numbers (times for dates and durations) in ascending order
 * with a finite difference, and above 0 for LOG
 */
export function checkRange(
  dtype: DataType,
  { min, max }: { readonly min: unknown; readonly max: unknown },
  scale: ScaleName,
): ScaleRange {
  const range = { min: endOf(dtype, min), max: endOf(dtype, max) };
  if (!(range.min < range.max))
    throw new InputError(
      `the range is from ${String(min)} to ${String(max)}; its maximum must be greater than its minimum`,
    );
  if (!Number.isFinite(range.max - range.min))
    throw new InputError(
      'the range is too wide for a colour scale: its maximum minus its minimum is infinite',
    );
  if (scale === 'LOG' && !(range.min > 0))
    throw new InputError(
      `a logarithmic scale requires a range above 0; the range starts at ${String(min)}; set a "range" above 0`,
    );
  return range;
}

function endOf(dtype: DataType, end: unknown): number {
  if (isTime(dtype)) return ticksOf(dtype, end);
  const number = typeof end === 'string' && /^-?\d{1,400}$/.test(end) ? Number(end) : end;
  if (typeof number === 'boolean') return Number(number);
  if (typeof number === 'bigint') return Number(number);
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalidValue(end, 'a finite number', 'an end of the range of the picture');
}

function ticksOf(dtype: DataType, end: unknown): number {
  try {
    const block = blockOfValues([end], dtype, 1);
    const [count] =
      dtype.name === 'numpy.datetime64' ? dataOf(block, dtype.name) : dataOf(block, 'numpy.timedelta64');
    if (count !== undefined && count !== -(2n ** 63n)) return Number(count);
  } catch (error) {
    if (!isZarrError(error)) throw error;
  }
  throw invalidValue(end, 'a time in the unit of the data', 'an end of the range of the picture');
}

/**
 * The range stated by the attributes, in decoded numbers if `isDecoded`; an end that is not stated is
 * undefined.
 */
export function rangeOfAttributes(
  attributes: JsonObject,
  isDecoded: boolean,
): { readonly min: number | undefined; readonly max: number | undefined } {
  const [first, last] = numbersIn(attributes, 'valid_range');
  const [lowest] = numbersIn(attributes, 'valid_min');
  const [highest] = numbersIn(attributes, 'valid_max');
  const [scale = 1] = isDecoded ? numbersIn(attributes, 'scale_factor') : [];
  const [offset = 0] = isDecoded ? numbersIn(attributes, 'add_offset') : [];
  const decoded = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : value * scale + offset;
  const ends = [decoded(first ?? lowest), decoded(last ?? highest)] as const;
  return scale < 0 ? { min: ends[1], max: ends[0] } : { min: ends[0], max: ends[1] };
}

function numbersIn(attributes: JsonObject, name: string): readonly number[] {
  const items = itemsOf(attributes[name] ?? []);
  if (items.length > 2) return [];
  return items.flatMap((item) => {
    const number = typeof item === 'bigint' ? Number(item) : item;
    return typeof number === 'number' && Number.isFinite(number) ? [number] : [];
  });
}

/** The range of a scale from one value to another; widened unless `low` is below `high`. */
export function rangeOfValues(low: number, high: number): ScaleRange {
  if (low < high) return { min: low, max: high };
  const margin = Math.max(0.5, Math.abs(low) * 1e-6);
  return { min: low - margin, max: low + margin };
}

/** @throws UnsupportedError for types without colours */
export function assertPaintable({ name }: DataType, isPaintable: boolean): void {
  if (!isPaintable)
    throw new UnsupportedError(
      `values of type ${name} cannot be drawn; only real numbers, booleans, dates and durations can`,
    );
}
