/** Reads statistics in as few passes as possible. */
import {
  type BinCounts,
  type BinSpec,
  createYieldToEventLoop,
  foldSlice,
  InputError,
  type LazySlice,
  QuantileSearch,
  type SliceFoldOptions,
  statisticsFold,
  type StatisticsTotal,
} from '../../zarr/index.js';
import { inOneState } from '../one-state.js';
import { binsOfValues, type Histogram, histogramOf } from './histogram.js';
import type { StatisticsPlan } from './plan-statistics.js';
import { quantileValue, type StatisticsField, statisticValue } from './statistic-values.js';

/** Values of the scalar JSON: numbers, bigints, booleans, dates as text, pairs; null without a value. */
export interface StatisticsResult {
  readonly values: { readonly [field in StatisticsField]?: unknown };
  /** One entry per list; empty if the data type has no quantiles. */
  readonly quantiles: readonly (readonly unknown[])[];
  /**
   * One entry per request: undefined if the data type has no histogram, an error if the values are not
   * finite.
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
  const state = inOneState(options, slice.where);
  const yieldToEventLoop = createYieldToEventLoop(options.signal);
  const search = new QuantileSearch(dtype, plan.quantiles.flat());
  const counted = new Map<number, Counted | InputError>();
  let first: StatisticsTotal | undefined;
  for (let pass = 0; pass < plan.passes; pass++) {
    const ready = readyBins(slice, plan, counted, first);
    const digits = search.next;
    if (first !== undefined && ready.length === 0 && digits === undefined) break;
    const spec = {
      summary: pass === 0 && plan.needsSummary,
      bins: ready.map(({ spec: one }) => one),
      digits,
    };
    const total = await foldSlice(slice, statisticsFold(spec, slice.shape.length), state.options);
    state.check();
    ready.forEach(({ index, spec: one }, i) => {
      const counts = total.bins[i];
      if (counts !== undefined) counted.set(index, { spec: one, counts });
    });
    if (total.digits !== undefined) for (const _ of search.add(total.digits)) await yieldToEventLoop();
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
        const one = between[next++];
        return one === undefined ? null : quantileValue(dtype, one);
      }),
    ),
    histograms: plan.histograms.map((_, index) => {
      const one = counted.get(index);
      return one === undefined || one instanceof InputError ? one : histogramOf(dtype, one.spec, one.counts);
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
  return histograms.flatMap((one, index) => {
    if (one === undefined || counted.has(index)) return [];
    if (one.range !== undefined) return [{ index, spec: one.range }];
    if (first === undefined) return [];
    try {
      return [{ index, spec: binsOfValues(dtype, one.bins, first.summary) }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      counted.set(index, error);
      return [];
    }
  });
}
