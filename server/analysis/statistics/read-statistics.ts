/** Reads statistics in as few passes as possible. */
import {
  type BinCounts,
  type BinSpec,
  createPause,
  foldSlice,
  InputError,
  type LazySlice,
  OneState,
  QuantileSearch,
  type SliceFoldOptions,
  statisticsFold,
  type StatisticsTotal,
} from '../../zarr/index.js';
import { binsOfValues, type Histogram, histogramOf } from './histogram.js';
import type { StatisticsPlan } from './plan-statistics.js';
import { quantileValue, type StatisticsField, statisticValue } from './statistic-values.js';

/** Values of the scalar JSON: numbers, bigints, booleans, dates as text, pairs; null without a value. */
export interface StatisticsResult {
  readonly values: { readonly [field in StatisticsField]?: unknown };
  /** One entry per list; empty if the data type has no quantiles. */
  readonly quantiles: readonly (readonly unknown[])[];
  /**
   * One entry per request: undefined if the data type has no histogram, an error if the range of the values
   * cannot be divided into bins.
   */
  readonly histograms: readonly (Histogram | InputError | undefined)[];
}

interface Counted {
  readonly spec: BinSpec;
  readonly counts: BinCounts;
}

interface ReadyBins {
  readonly index: number;
  readonly spec: BinSpec;
}

export async function readStatistics(
  slice: LazySlice,
  plan: StatisticsPlan,
  options: SliceFoldOptions,
): Promise<StatisticsResult> {
  const { dtype } = slice;
  const state = new OneState(slice, options);
  const reading = { ...options, onVersion: state.onVersion };
  const pause = createPause(options.signal);
  const search = new QuantileSearch(dtype, plan.quantiles.flat());
  const counted = new Map<number, Counted | InputError>();
  let first: StatisticsTotal | undefined;
  for (let pass = 0; pass < plan.passes; pass++) {
    const ready = readyBins(slice, plan, counted, first);
    const digits = search.next;
    if (first !== undefined && ready.length === 0 && digits === undefined) break;
    const request = {
      summary: pass === 0 && plan.needsSummary,
      bins: ready.map((bins) => bins.spec),
      digits,
    };
    const total = await foldSlice(slice, statisticsFold(request, slice.shape.length), reading);
    state.assertUnchanged();
    ready.forEach(({ index, spec }, i) => {
      const counts = total.bins[i];
      if (counts !== undefined) counted.set(index, { spec, counts });
    });
    if (total.digits !== undefined) for (const _ of search.add(total.digits)) await pause();
    first ??= total;
  }
  const total = first;
  const between = search.finish();
  let next = 0;
  return {
    values:
      total === undefined
        ? {}
        : Object.fromEntries(plan.fields.map((field) => [field, statisticValue(field, dtype, total)])),
    quantiles: plan.quantiles.map((list) =>
      list.map(() => {
        const value = between[next++];
        return value === undefined ? null : quantileValue(dtype, value);
      }),
    ),
    histograms: plan.histograms.map((_, index) => {
      const entry = counted.get(index);
      return entry === undefined || entry instanceof InputError
        ? entry
        : histogramOf(dtype, entry.spec, entry.counts);
    }),
  };
}

/**
 * The histograms whose range is known. Records an error for each histogram without a finite range, and
 * continues with the others.
 */
function readyBins(
  { dtype }: LazySlice,
  { histograms }: StatisticsPlan,
  counted: Map<number, Counted | InputError>,
  first: StatisticsTotal | undefined,
): ReadyBins[] {
  return histograms.flatMap((histogram, index) => {
    if (histogram === undefined || counted.has(index)) return [];
    if (histogram.range !== undefined) return [{ index, spec: histogram.range }];
    if (first === undefined) return [];
    try {
      return [{ index, spec: binsOfValues(dtype, histogram.bins, first.summary) }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      counted.set(index, error);
      return [];
    }
  });
}
