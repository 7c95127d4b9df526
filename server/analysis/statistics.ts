/**
 * Exact statistics of all values of a slice, in as few passes as possible. Lazy: the cost is known before
 * anything is read.
 */
import {
  type ArraySlice,
  type Excess,
  exceededLimits,
  type LazySlice,
  type Limits,
  type ErrorContext,
  type PlanCost,
  type SliceFoldOptions,
} from '../zarr/index.js';
import { planStatistics, statisticsCost, type StatisticsRequest } from './statistics/plan-statistics.js';
import { readStatistics, type StatisticsResult } from './statistics/read-statistics.js';

export { assertStatistic, hasStatistic, type StatisticsField } from './statistics/statistic-values.js';
export type { Histogram, HistogramRequest } from './statistics/histogram.js';

export type { StatisticsRequest } from './statistics/plan-statistics.js';
export type { StatisticsResult } from './statistics/read-statistics.js';

export interface Statistics {
  readonly where: ErrorContext;
  readonly inputs: readonly ArraySlice[];
  /** Cost of all passes. */
  cost(): PlanCost;
  exceeded(limits: Limits): readonly Excess[];
  /**
   * A histogram of infinite values without a range is an InputError in the result.
   * @throws errors from `LazySlice.read`; ConflictError if an object changes during the read
   */
  read(options?: SliceFoldOptions): Promise<StatisticsResult>;
}

/**
 * Computes statistics that share passes over the values: one pass for most of them, one per 16 bits for
 * quantiles of wider types, and one more for histograms without a range.
 * @throws InputError for an invalid request
 */
export function statisticsOf(slice: LazySlice, request: StatisticsRequest): Statistics {
  const plan = planStatistics(slice, request);
  const cost = (): PlanCost => statisticsCost(slice, plan);
  return {
    where: slice.where,
    inputs: slice.inputs,
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) => readStatistics(slice, plan, options),
  };
}
