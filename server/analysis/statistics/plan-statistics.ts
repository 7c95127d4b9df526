/** Validates a request for statistics against the data type and computes its cost. Pure. */
import {
  type BinSpec,
  digitPasses,
  foldCost,
  InputError,
  type LazySlice,
  type PlanCost,
  sizeOf,
  statisticsFold,
  workOf,
} from '../../zarr/index.js';
import { assertBins, binsOfRequest, type HistogramRequest } from './histogram.js';
import { hasStatistic, type StatisticsField } from './statistic-values.js';

/** The requested statistics. Those that the data type does not have (see `assertStatistic`) are ignored. */
export interface StatisticsRequest {
  readonly fields: readonly StatisticsField[];
  /** Lists of quantiles, from 0 to 1. */
  readonly quantiles: readonly (readonly number[])[];
  readonly histograms: readonly HistogramRequest[];
}

export interface StatisticsPlan {
  readonly fields: readonly StatisticsField[];
  /** Requested quantiles; empty lists if the data type has none. */
  readonly quantiles: readonly (readonly number[])[];
  /** Without `range`, the range of the values is used. Undefined if the data type has no histogram. */
  readonly histograms: readonly (
    { readonly bins: number; readonly range: BinSpec | undefined } | undefined
  )[];
  readonly needsSummary: boolean;
  /** Number of passes over all values. */
  readonly passes: number;
}

/** Maximum number of quantiles per request; allows all percentiles and a few more. */
const MAX_QUANTILES = 128;

/**
 * Maximum number of bins of all histograms of a request. Bounds the memory for edges and for the counts of
 * each partial result.
 */
const MAX_TOTAL_BINS = 2 ** 17;

/**
 * Bounds the combined statistics of one request before memory is allocated for them.
 * @throws InputError if the totals exceed the maximum
 */
export function assertTotals({
  quantiles,
  histograms,
}: Pick<StatisticsRequest, 'quantiles' | 'histograms'>): void {
  const numbers = quantiles.reduce((sum, { length }) => sum + length, 0);
  if (numbers > MAX_QUANTILES)
    throw new InputError(`${numbers} quantiles requested; at most ${MAX_QUANTILES} are allowed`);
  const bins = histograms.reduce((sum, histogram) => sum + histogram.bins, 0);
  if (bins > MAX_TOTAL_BINS)
    throw new InputError(`the histograms have ${bins} bins in total; at most ${MAX_TOTAL_BINS} are allowed`);
}

/** @throws InputError for an invalid request */
export function planStatistics({ dtype }: LazySlice, request: StatisticsRequest): StatisticsPlan {
  for (const { bins } of request.histograms) assertBins(bins);
  assertTotals(request);
  const all = request.quantiles.flat();
  const wrong = all.find((q) => !(q >= 0 && q <= 1));
  if (wrong !== undefined)
    throw new InputError(`the quantile is ${wrong}; expected a number between 0 and 1`);
  const hasQuantiles = hasStatistic(dtype, 'quantiles') && all.length > 0;
  const histograms = request.histograms.map(({ bins, range }) => {
    if (!hasStatistic(dtype, 'histogram')) return undefined;
    return { bins, range: range === undefined ? undefined : binsOfRequest(dtype, bins, range) };
  });
  const needsRange = histograms.some((histogram) => histogram !== undefined && histogram.range === undefined);
  const fields = request.fields.filter((field) => hasStatistic(dtype, field));
  const isNothing =
    fields.length === 0 && !hasQuantiles && histograms.every((histogram) => histogram === undefined);
  return {
    fields,
    quantiles: hasQuantiles ? request.quantiles : request.quantiles.map(() => []),
    histograms,
    needsSummary: needsRange || fields.some((field) => field !== 'count' && field !== 'missing'),
    passes: Math.max(isNothing ? 0 : 1, needsRange ? 2 : 0, hasQuantiles ? digitPasses(dtype) : 0),
  };
}

/** Cost of all passes. */
export function statisticsCost(
  slice: LazySlice,
  { quantiles, histograms, passes }: StatisticsPlan,
): PlanCost {
  const quantileCount = quantiles.flat().length;
  const prefixes = quantileCount === 0 ? 0 : digitPasses(slice.dtype) === 1 ? 1 : 2 * quantileCount;
  const edges = histograms.map((histogram) => new Float64Array((histogram?.bins ?? 0) + 1));
  const fold = statisticsFold(
    {
      summary: true,
      bins: edges.map((list) => ({ edges: list, origin: [0, 0] })),
      digits: prefixes === 0 ? undefined : { depth: 1, prefixes: new Float64Array(prefixes) },
    },
    slice.shape.length,
  );
  const outputBytes = edges.reduce((sum, { length }) => sum + 16 * length, 16 * quantileCount);
  const once = foldCost(slice, fold, outputBytes);
  return {
    ...once,
    chunks: passes * once.chunks,
    requests: passes * once.requests,
    decodedBytes: passes * once.decodedBytes,
    reducedBytes: passes * once.reducedBytes,
    work: passes * (once.work + sizeOf(slice.shape) * quantileCount * workOf.digit),
  };
}
