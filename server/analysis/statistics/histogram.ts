/** Histograms with bins of equal width, as in NumPy: range, edges and result. Pure. */
import { defined } from '../../../wire/guards.js';
import {
  type BinCounts,
  type BinSpec,
  type Block,
  blockOfValues,
  dataOf,
  type DataType,
  equalEdges,
  InputError,
  invalidValue,
  isZarrError,
  numberType,
  planeForm,
  type Summary,
  valueOfPair,
  isTime,
} from '../../zarr/index.js';

export interface HistogramRequest {
  readonly bins: number;
  /** Inclusive range: numbers, or dates as text. @default the smallest and the largest value */
  readonly range?: { readonly min: unknown; readonly max: unknown } | undefined;
}

export interface Histogram {
  /** The edges as float64 or dates: one more than bins. */
  readonly edges: Block;
  /** The counts as int64. A bin includes its lower edge; the last bin includes both edges. */
  readonly counts: Block;
  readonly below: bigint;
  readonly above: bigint;
}

const MAX_BINS = 65_536;

type Range = readonly [first: number | bigint, last: number | bigint];

/** @throws InputError for a number of bins that is not allowed */
export function assertBins(bins: number): void {
  if (!Number.isSafeInteger(bins) || bins < 1 || bins > MAX_BINS)
    throw new InputError(`the number of bins is ${bins}; expected an integer from 1 to ${MAX_BINS}`);
}

/**
 * The bins over a requested range.
 * @throws InputError if an end is not a finite number (for times, a time), the first end is greater than the
 * last, or float64 cannot represent the bins
 */
export function binsOfRequest(
  dtype: DataType,
  bins: number,
  { min, max }: { min: unknown; max: unknown },
): BinSpec {
  const [first, last] = [endOf(dtype, min), endOf(dtype, max)];
  if (first > last)
    throw new InputError(
      `the range of the histogram is from ${String(min)} to ${String(max)}; its start must not exceed its end`,
    );
  return binSpec(dtype, bins, [first, last]);
}

/** @throws InputError unless all values are finite and float64 can represent the edges */
export function binsOfValues(dtype: DataType, bins: number, { count, least, greatest }: Summary): BinSpec {
  const form = planeForm(dtype) ?? 'plain';
  if (count === 0) return binSpec(dtype, bins, isTime(dtype) ? [0n, BigInt(bins)] : [0, 1]);
  const [first, last] = [valueOfPair(form, least), valueOfPair(form, greatest)];
  if (!isTime(dtype) && !(Number.isFinite(Number(first)) && Number.isFinite(Number(last))))
    throw new InputError('the values are not all finite; pass a range for the histogram');
  return binSpec(dtype, bins, [first, last]);
}

function binSpec(dtype: DataType, bins: number, [first, last]: Range): BinSpec {
  if (!isTime(dtype)) {
    const [from, to] = [Number(first), Number(last)];
    // Widens the range if all values are equal, as NumPy does.
    const [lower, upper] = from === to ? [from - 0.5, to + 0.5] : [from, to];
    const edges = equalEdges(lower, upper, bins);
    if (edges.some((edge, k) => k > 0 && !(edge > defined(edges[k - 1]))))
      throw new InputError(
        `histogram: float64 cannot represent ${bins} bins between ${lower} and ${upper}; request fewer bins or a wider range`,
      );
    return { edges, origin: [0, 0] };
  }
  const [from, to] = [BigInt(first), BigInt(last)];
  const length = to === from ? BigInt(bins) : to - from;
  const edges = Float64Array.from({ length: bins + 1 }, (_, k) =>
    Number((BigInt(k) * length) / BigInt(bins)),
  );
  return { edges, origin: [Number(from >> 32n), Number(from & 0xffff_ffffn)] };
}

function endOf(dtype: DataType, end: unknown): number | bigint {
  if (isTime(dtype)) return timeOf(dtype, end);
  const number = typeof end === 'string' && /^-?\d{1,400}$/.test(end) ? Number(end) : end;
  if (typeof number === 'bigint') return Number(number);
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalidValue(end, 'a finite number', 'an end of the range of the histogram');
}

function timeOf(dtype: DataType, end: unknown): bigint {
  try {
    const block = blockOfValues([end], dtype, 1);
    const [count] =
      dtype.name === 'numpy.datetime64' ? dataOf(block, dtype.name) : dataOf(block, 'numpy.timedelta64');
    if (count !== undefined && count !== -(2n ** 63n)) return count;
  } catch (error) {
    if (!isZarrError(error)) throw error;
  }
  throw invalidValue(end, 'a time in the unit of the data', 'an end of the range of the histogram');
}

export function histogramOf(dtype: DataType, { edges, origin }: BinSpec, counted: BinCounts): Histogram {
  const counts = BigInt64Array.from(counted.counts, BigInt);
  const start = BigInt(origin[0]) * 2n ** 32n + BigInt(origin[1]);
  return {
    edges:
      isTime(dtype) && dtype.itemSize !== null
        ? blockOf(
            dtype,
            BigInt64Array.from(edges, (edge) => start + BigInt(edge)),
          )
        : blockOf(numberType('float64'), edges),
    counts: blockOf(numberType('int64'), counts),
    below: BigInt(counted.below),
    above: BigInt(counted.above),
  };
}

function blockOf(
  dtype: Extract<Block, { bytes: unknown }>['dtype'],
  data: Float64Array | BigInt64Array,
): Block {
  return {
    dtype,
    shape: [data.length],
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  };
}
