/** The fields `Slice.statistics`, `Statistics` and `Histogram`. */
import { assertStatistic, type StatisticsField } from '../../analysis/statistics.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import type { GatewayContext } from '../context.js';
import type { HistogramResolvers, StatisticsResolvers } from '../generated/types.js';
import type { SliceModel } from '../models.js';
import { createStatisticsModel, type StatisticsModel } from './gather-statistics.js';

const models = new WeakMap<SliceModel, StatisticsModel>();

/** Creates one model per slice, which aliases of the field share. */
export function statisticsOfSlice(slice: SliceModel): StatisticsModel {
  const model = models.get(slice) ?? createStatisticsModel(slice);
  models.set(slice, model);
  return model;
}

function valueOf(model: StatisticsModel, field: StatisticsField, context: GatewayContext): Promise<unknown> {
  assertStatistic(model.slice.dtype, field);
  return model.value(field, context);
}

async function countOf(
  model: StatisticsModel,
  field: 'count' | 'missing',
  context: GatewayContext,
): Promise<bigint> {
  const value = await valueOf(model, field, context);
  if (typeof value !== 'bigint') throw new TypeError(`the statistic ${field} is not an integer`);
  return value;
}

export const statisticsResolvers: StatisticsResolvers = {
  estimate: (model, _, context) => model.estimate(context),
  count: (model, _, context) => countOf(model, 'count', context),
  missing: (model, _, context) => countOf(model, 'missing', context),
  min: (model, _, context) => valueOf(model, 'min', context),
  max: (model, _, context) => valueOf(model, 'max', context),
  sum: (model, _, context) => valueOf(model, 'sum', context),
  mean: (model, _, context) => valueOf(model, 'mean', context),
  std: (model, _, context) => valueOf(model, 'std', context),
  quantiles(model, { q }, context) {
    assertStatistic(model.slice.dtype, 'quantiles');
    return model.quantiles(q, context);
  },
  histogram(model, { bins, range }, context) {
    assertStatistic(model.slice.dtype, 'histogram');
    return model.histogram(range ? { bins, range } : { bins }, context);
  },
};

export const histogramResolvers: HistogramResolvers = {
  edges: ({ edges }) => new NDArrayValue(edges, 'STRING'),
  counts: ({ counts }) => new NDArrayValue(counts, 'STRING'),
};
