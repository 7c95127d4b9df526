/**
 * Collects the statistics of a slice that one document requests. The executor calls all resolvers of a
 * selection set before it awaits any. The statistics that they request can therefore be
 * computed together, in as few passes as possible.
 */
import {
  type Histogram,
  type HistogramRequest,
  type StatisticsField,
  statisticsOf,
  type StatisticsRequest,
  type StatisticsResult,
} from '../../analysis/statistics.js';
import { assertTotals } from '../../analysis/statistics/plan-statistics.js';
import { statisticsFields } from '../../analysis/statistics/statistic-values.js';
import { InputError } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { EstimateModel, SliceModel } from '../models.js';
import { resultKey, type ResultScope } from './results.js';

export type HistogramModel = Histogram;

export interface StatisticsModel {
  readonly slice: SliceModel['slice'];
  /** A field that the data type supports. */
  value(field: StatisticsField, scope: ResultScope): Promise<unknown>;
  quantiles(q: readonly number[], scope: ResultScope): Promise<readonly unknown[]>;
  histogram(request: HistogramRequest, scope: ResultScope): Promise<Histogram>;
  /** Cost of all statistics requested together with it; of all fields if none is requested. */
  estimate(context: GatewayContext): Promise<EstimateModel>;
}

/** The statistics requested before the next microtask. */
interface Gathering {
  readonly fields: Set<StatisticsField>;
  readonly quantiles: (readonly number[])[];
  readonly histograms: HistogramRequest[];
  /** Resolves in the next microtask, with all requests until then. */
  readonly complete: Promise<StatisticsRequest>;
  result: Promise<StatisticsResult> | undefined;
}

export function createStatisticsModel(model: SliceModel): StatisticsModel {
  const { slice } = model;
  let gathering: Gathering | undefined;

  function gather(): Gathering {
    if (gathering !== undefined) return gathering;
    const begun: Gathering = {
      fields: new Set(),
      quantiles: [],
      histograms: [],
      complete: Promise.resolve().then(() => {
        gathering = undefined;
        // Sorted, so that equal requests have equal keys.
        const fields = statisticsFields.filter((field) => begun.fields.has(field));
        return { fields, quantiles: begun.quantiles, histograms: begun.histograms };
      }),
      result: undefined,
    };
    gathering = begun;
    return begun;
  }

  function resultOf(gathered: Gathering, scope: ResultScope): Promise<StatisticsResult> {
    return (gathered.result ??= gathered.complete.then((request) => compute(model, request, scope)));
  }

  return {
    slice,
    async value(field, scope) {
      const own = gather();
      own.fields.add(field);
      const { values } = await resultOf(own, scope);
      return values[field] ?? null;
    },
    async quantiles(q, scope) {
      // Invalid arguments fail only this field, not the others requested with it.
      statisticsOf(slice, { fields: [], quantiles: [q], histograms: [] });
      const own = gather();
      assertTotals({ ...own, quantiles: [...own.quantiles, q] });
      const index = own.quantiles.push(q) - 1;
      return present((await resultOf(own, scope)).quantiles[index]);
    },
    async histogram(request, scope) {
      statisticsOf(slice, { fields: [], quantiles: [], histograms: [request] });
      const own = gather();
      assertTotals({ ...own, histograms: [...own.histograms, request] });
      const index = own.histograms.push(request) - 1;
      const histogram = present((await resultOf(own, scope)).histograms[index]);
      if (histogram instanceof InputError) throw histogram;
      return histogram;
    },
    async estimate({ gateway }) {
      const request = await gather().complete;
      const { fields, quantiles, histograms } = request;
      const isNothing = fields.length + quantiles.length + histograms.length === 0;
      const work = statisticsOf(slice, isNothing ? { ...request, fields: statisticsFields } : request);
      const exceeded = work.exceeded(gateway.limits);
      return { ...work.cost(), allowed: exceeded.length === 0, exceeded };
    },
  };
}

function compute(
  model: SliceModel,
  request: StatisticsRequest,
  { budget, signal, results }: ResultScope,
): Promise<StatisticsResult> {
  const { slice } = model;
  const work = statisticsOf(slice, request);
  return budget.compute(work, signal, ({ limits }) =>
    results.statistics.get(
      {
        key: resultKey(model, work.inputs, [slice.dtype, slice.shape, request]),
        inputs: work.inputs,
        run: (stop, onVersion) => work.read({ signal: stop, limits, onVersion }),
      },
      signal,
    ),
  );
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a requested statistic was not computed');
  return value;
}
