/** The colour scale: maps values to positions, its ends to 0 and 1. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}

/** NaN for missing values and, on a logarithmic scale, for values that are not positive. */
export function fractionOf({ low, high, isLog }: Scale, value: number): number {
  if (isLog) {
    if (!(value > 0)) return Number.NaN;
    return (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low));
  }
  return high === low ? (Number.isNaN(value) ? value : 0.5) : (value - low) / (high - low);
}

export function valueAt({ low, high, isLog }: Scale, fraction: number): number {
  if (isLog) return Math.exp(Math.log(low) + fraction * (Math.log(high) - Math.log(low)));
  return low + fraction * (high - low);
}

/** Range and quantiles of the loaded values. */
export interface Shown {
  /** Number of finite values. */
  readonly count: number;
  readonly missing: number;
  readonly min: number;
  readonly max: number;
  readonly q02: number;
  readonly q98: number;
}

/** Maximum number of values from which the quantiles are computed. */
const MAX_SORTED = 50_000;

export function summarise(values: Float32Array | Float64Array): Shown {
  let [count, missing, min, max] = [0, 0, Infinity, -Infinity];
  const step = Math.max(1, Math.ceil(values.length / MAX_SORTED));
  const some: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) {
      missing += 1;
      continue;
    }
    count += 1;
    if (value < min) min = value;
    if (value > max) max = value;
    if (i % step === 0) some.push(value);
  }
  const sorted = Float64Array.from(some).sort();
  const quantile = (q: number) => sorted[Math.round(q * (sorted.length - 1))] ?? Number.NaN;
  return { count, missing, min, max, q02: quantile(0.02), q98: quantile(0.98) };
}

/**
 * The scale of a view. Its ends are those that the user has set, otherwise the quantiles, or the extremes if both
 * quantiles are equal.
 * @param isCentred for palettes whose middle represents zero
 */
export function scaleOf(
  {
    low,
    high,
    isLog,
  }: { readonly low: number | undefined; readonly high: number | undefined; readonly isLog: boolean },
  shown: Shown,
  isCentred = false,
): Scale {
  const flat = shown.q02 === shown.q98;
  let from = low ?? (flat ? shown.min : shown.q02);
  let to = high ?? (flat ? shown.max : shown.q98);
  if (!Number.isFinite(from)) from = 0;
  if (!Number.isFinite(to)) to = 1;
  if (from > to) [from, to] = [to, from];
  // Puts zero in the middle, unless the user has set an end.
  if (isCentred && low === undefined && high === undefined && from < 0 && to > 0) {
    const most = Math.max(-from, to);
    [from, to] = [-most, most];
  }
  if (!isLog) return { low: from, high: to, isLog };
  const top = to > 0 ? to : 1;
  const least = from > 0 ? from : Math.max(shown.min > 0 ? shown.min : top / 1e6, top / 1e12);
  return { low: Math.min(least, top / 1.0001), high: top, isLog };
}

/** Widths of the range of the quantiles by which the histogram extends beyond it. */
const OUTER = 1;

/**
 * The ends of the histogram: those of the values or, if there are outliers, ends around the 2 % and 98 % quantiles.
 * They include the ends of the colour scale. On a logarithmic scale, only positive values count.
 */
export function histogramEnds(shown: Shown, { low, high, isLog }: Scale): Scale {
  const least = isLog && shown.min <= 0 ? low : shown.min;
  const inner = { low: shown.q02, high: shown.q98, isLog };
  const isSpread = shown.q02 < shown.q98 && (!isLog || shown.q02 > 0);
  const from = isSpread ? Math.max(least, valueAt(inner, -OUTER)) : least;
  const to = isSpread ? Math.min(shown.max, valueAt(inner, 1 + OUTER)) : shown.max;
  return { low: Math.min(from, low), high: Math.max(to, high), isLog };
}

/** The value of full intensity of a channel in natural colours, as in the gateway's pictures; undefined for other types. */
export function fullIntensity(dtype: string): number | undefined {
  if (dtype === 'uint8') return 255;
  if (dtype === 'uint16') return 65_535;
  return dtype.startsWith('float') ? 1 : undefined;
}

/** Counts finite values outside two ends. Values that a logarithmic scale cannot show are not counted. */
export function countOutside(
  values: Float32Array | Float64Array,
  { low, high, isLog }: Scale,
): { readonly below: number; readonly above: number } {
  let [below, above] = [0, 0];
  for (const value of values) {
    if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
    if (value < low) below += 1;
    else if (value > high) above += 1;
  }
  return { below, above };
}

/** Counts finite values in bins of equal width between two ends; on a logarithmic scale, of equal ratio. */
export function countBins(values: Float32Array | Float64Array, ends: Scale, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  for (const value of values) {
    const fraction = fractionOf(ends, value);
    if (!(fraction >= 0 && fraction <= 1)) continue;
    const bin = Math.min(bins - 1, Math.floor(fraction * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
