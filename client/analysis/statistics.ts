import { isList, isRecord } from '../json/json.js';
import type { JsonValue } from '../json/json.js';
import { arrayOf, isNDArray } from './line.js';
import { type AnalysisResponse, type FieldParams, malformed } from './load.js';
import type { Histogram, Statistic, Statistics, StatisticsOptions } from './types.js';

const plain = ['min', 'max', 'sum', 'mean', 'std'] as const;

export function statisticsParams({ quantiles, histogram }: StatisticsOptions): FieldParams {
  const fields: string[] = ['count', 'missing', ...plain];
  const args: Record<string, readonly [string, unknown]> = {};
  if (quantiles !== undefined) {
    fields.push('quantiles(q: $q)');
    args['q'] = ['[Float!]!', quantiles];
  }
  if (histogram !== undefined) {
    const { bins, range } = histogram;
    fields.push('histogram(bins: $bins, range: $range) { edges counts below above }');
    args['bins'] = ['Int!', bins];
    args['range'] = ['ValueRange', range === undefined ? null : { min: range[0], max: range[1] }];
  }
  return { field: `statistics { ${fields.join(' ')} }`, args };
}

/** Statistics that the data type does not have are null; any other failure is thrown. */
export function parseStatistics({ slice, errors }: AnalysisResponse): Statistics {
  const error = errors.find(
    ({ code, fieldPath }) => code !== 'UNSUPPORTED' || !plain.some((name) => name === fieldPath?.[3]),
  );
  if (error !== undefined) throw error;
  const { statistics } = slice;
  if (!isRecord(statistics)) throw malformed();
  const { quantiles } = statistics;
  const valueOf = (name: (typeof plain)[number]): Statistic => statisticOf(statistics[name]);
  return {
    count: countOf(statistics['count']),
    missing: countOf(statistics['missing']),
    min: valueOf('min'),
    max: valueOf('max'),
    sum: valueOf('sum'),
    mean: valueOf('mean'),
    std: valueOf('std'),
    quantiles: isList(quantiles) ? quantiles.map(statisticOf) : [],
    histogram: histogramOf(statistics['histogram']),
  };
}

function histogramOf(response: unknown): Histogram | undefined {
  if (response === undefined) return undefined;
  if (!isRecord(response)) throw malformed();
  const { edges, counts, below, above } = response;
  const list = isNDArray(counts) ? [...counts] : counts;
  if (!isList(list)) throw malformed();
  const float64 = { name: 'float64', kind: 'FLOAT', numpy: '<f8', itemSize: 8 };
  return {
    edges: arrayOf(edges, float64, [isList(edges) ? edges.length : 0]),
    counts: list.map(countOf),
    below: countOf(below),
    above: countOf(above),
  };
}

function countOf(value: unknown): number {
  const count = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isFinite(count)) throw malformed();
  return count;
}

function statisticOf(value: unknown): Statistic {
  if (typeof value === 'bigint' || isJson(value)) return value;
  throw malformed();
}

function isJson(value: unknown): value is JsonValue {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value) || isList(value);
}
