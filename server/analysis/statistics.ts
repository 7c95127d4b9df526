/**
 * Statistics of all values of a slice: exact, in as few passes as they take together. Lazy: what they take is known before
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
  /** What all passes take. */
  cost(): PlanCost;
  exceeded(limits: Limits): readonly Excess[];
  /** @throws as `LazySlice.read`; InputError for a histogram of infinite values without a range */
  read(options?: SliceFoldOptions): Promise<StatisticsResult>;
}

/**
 * Statistics that share their passes: one for everything but quantiles of more than 16 bits (one each 16 bits) and
 * histograms without a range (one more).
 * @throws InputError for what is wrong in the request
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
