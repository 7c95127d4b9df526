/** Loads lines, statistics, and links to pictures and tiles. Requests made together share one document. */
import {
  InputError,
  RequestError,
  TransportError,
  rejectMalformed,
  type GatewayError,
  type ZarrqlError,
} from '../errors.js';
import type { SliceRequest } from '../generated/operations.js';
import { isList, isRecord, type JsonValue } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { createFromJson } from '../ndarray/from-items.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { parseShape } from '../ndarray/shape.js';
import { createBatcher, type LoadMany, type LoadOne, type LoadParts } from '../transport/batch.js';
import { revive } from '../transport/revive.js';
import type { Connection } from '../transport/connection.js';
import { createDeadline } from '../transport/deadline.js';
import type { RequestOptions } from '../transport/document.js';
import { inSdkWords } from '../transport/parse-slice.js';
import type {
  LineOptions,
  LinePoints,
  Histogram,
  PlainNDArray,
  Statistic,
  Statistics,
  StatisticsOptions,
} from './types.js';

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

/** Parses statistics. `min` to `std` are null if the data type does not support them; any other failure is thrown. */
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

const VALUES = '{ shape dtype { name kind numpy itemSize unit } values }';

/** @throws InputError without a width, for callers without type checks */
export function lineParams(options: LineOptions): FieldParams {
  assertWidth(options);
  const { width, along, from, to, method } = options;
  return {
    field: `line(width: $width, along: $along, from: $from, to: $to, method: $method) { x ${VALUES} y ${VALUES} }`,
    args: {
      width: ['Int!', width],
      along: ['String', along ?? null],
      from: ['JSON', labelOf(from)],
      to: ['JSON', labelOf(to)],
      method: ['LineMethod! = M4', method ?? 'M4'],
    },
  };
}

function assertWidth(options: Partial<LineOptions> | undefined): void {
  if (typeof options?.width === 'number') return;
  const received = options?.width === undefined ? 'missing' : JSON.stringify(options.width);
  const message = `the width of the line is ${received}; expected a number of pixels, such as 800`;
  throw new InputError('BAD_INPUT', message);
}

/** Converts a date to ISO text without a time zone, the form of labels. */
function labelOf(label: LineOptions['from']): unknown {
  return label instanceof Date ? label.toISOString().slice(0, -1) : (label ?? null);
}

export function parseLine({ slice, errors }: AnalysisResponse): LinePoints {
  const [error] = errors;
  if (error !== undefined) throw error;
  const { line } = slice;
  if (!isRecord(line)) throw malformed();
  return { x: valuesOf(line['x']), y: valuesOf(line['y']) };
}

function valuesOf(response: unknown): PlainNDArray {
  if (!isRecord(response)) throw malformed();
  return arrayOf(response['values'], response['dtype'], response['shape']);
}

/** Converts JSON values, which are lists, to an NDArray. CBOR values are already one. */
function arrayOf(values: unknown, dtype: unknown, shape: unknown): PlainNDArray {
  const [type, size] = [parseDataType(dtype), parseShape(shape)];
  const array = isNDArray(values) ? values : createFromJson({ type, shape: size, values, dimensions: [] });
  if (array.dtype === 'struct' || array.dtype === 'json') throw malformed();
  return array;
}

function isNDArray(value: unknown): value is AnyNDArray {
  return isRecord(value) && 'toNested' in value && 'dtype' in value;
}

/** A field of `Slice` with its arguments. */
export interface FieldParams {
  /** The field and its selection set; `$name` is replaced by an argument. */
  readonly field: string;
  /** Maps each argument to its GraphQL type and value. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
}

export interface AnalysisParams extends FieldParams {
  readonly request: SliceRequest;
}

/** One slice of a response, with the errors of its fields. */
export interface AnalysisResponse {
  readonly slice: Readonly<Record<string, unknown>>;
  readonly errors: readonly GatewayError[];
}

/** Maximum number of slices per request. The default of the gateway's limit `maxFirst` is larger. */
const MAX_BATCH = 100;

const loaders = new WeakMap<Connection, LoadOne<AnalysisParams, AnalysisResponse>>();

/** @throws GatewayError (RequestError if nothing was executed), TransportError, InputError */
export async function loadAnalysis<T>(
  connection: Connection,
  params: AnalysisParams,
  options: RequestOptions,
  parse: (response: AnalysisResponse) => T,
): Promise<T> {
  const known = loaders.get(connection);
  const load =
    known ?? createBatcher(createLoader(connection), MAX_BATCH, () => 'all', createPartsLoader(connection));
  if (known === undefined) loaders.set(connection, load);
  const deadline = createDeadline(options.signal, options.timeoutMs ?? 0);
  try {
    const response = await load(params, deadline.signal, options.inParts);
    return rejectMalformed(() => parse(response));
  } finally {
    deadline.close();
  }
}

function createLoader({ query }: Connection): LoadMany<AnalysisParams, AnalysisResponse> {
  return async (items, signal) => {
    const groups = groupsOf(items);
    const { data, errors } = await query<Readonly<Record<string, unknown>>, unknown>(
      documentOf(groups),
      Object.assign({}, ...groups.map(variablesOf)),
      { signal },
    );
    const [first, ...others] = errors;
    if (first !== undefined && !isRecord(data)) throw new RequestError([first, ...others], data);
    return items.map((params) => {
      const g = groups.findIndex(({ members }) => members.includes(params));
      const position = groups[g]?.members.indexOf(params) ?? -1;
      const list = data?.[`g${g}`];
      const slice: unknown = isList(list) ? list[position] : undefined;
      const own = errors
        .filter(({ fieldPath }) => fieldPath?.[0] === `g${g}` && fieldPath[1] === position)
        .map(inSdkWords);
      if (isRecord(slice)) return { slice, errors: own };
      return own[0] ?? malformed();
    });
  };
}

function createPartsLoader({
  sendInParts,
}: Connection): LoadParts<AnalysisParams, AnalysisResponse> | undefined {
  if (sendInParts === undefined) return undefined;
  return async (items, signal, receive) => {
    const groups = items.map((params): Group => ({ ...params, members: [params] }));
    const query = documentOf(groups, (field) => `... @defer { ${field} }`);
    const variables: unknown = Object.assign({}, ...groups.map(variablesOf));
    await sendInParts({ query, variables }, signal, (alias, { data, errors, native }) => {
      const list = data?.[alias];
      const first: unknown = isList(list) ? list[0] : undefined;
      const slice = native ? revive(first) : first;
      const own = errors.map(inSdkWords);
      const outcome = isRecord(slice) ? { slice, errors: own } : (own[0] ?? malformed());
      receive(Number(alias.slice(1)), outcome);
    });
  };
}

/** Requests that differ only in their slice. */
interface Group extends FieldParams {
  readonly members: AnalysisParams[];
}

function groupsOf(items: readonly AnalysisParams[]): Group[] {
  const groups = new Map<string, Group>();
  for (const params of items) {
    const { field, args } = params;
    const key = JSON.stringify([field, args], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { field, args, members: [params] });
    else group.members.push(params);
  }
  return [...groups.values()];
}

function documentOf(groups: readonly Group[], wrap = (field: string): string => field): string {
  const declared = groups.flatMap(({ args }, g) => [
    `$requests${g}: [SliceRequest!]!`,
    ...Object.entries(args).map(([name, [type]]) => `$${name}${g}: ${type}`),
  ]);
  const fields = groups.map(
    ({ field }, g) => `g${g}: slices(requests: $requests${g}) { ${field.replace(/\$\w+/g, `$&${g}`)} }`,
  );
  return `query Analysis(${declared.join(', ')}) { ${fields.map(wrap).join(' ')} }`;
}

function variablesOf({ args, members }: Group, g: number): Record<string, unknown> {
  return Object.fromEntries([
    [`requests${g}`, members.map(({ request }) => request)],
    ...Object.entries(args).map(([name, [, value]]) => [`${name}${g}`, value] as const),
  ]);
}

export function malformed(): ZarrqlError {
  return new TransportError('BAD_RESPONSE', 'malformed response: incomplete result of a slice');
}

interface Source {
  readonly connection: Connection;
  readonly request: SliceRequest;
}

/** The request of a lazy slice. */
export const sources = new WeakMap<object, Source>();

/** Numbers objects that can only be compared by identity. */
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/**
 * A key that is equal for slices of one client with equal selections and arguments. Other objects are compared by
 * identity.
 */
export function keyOf(slice: object, args: readonly unknown[]): string {
  const source = sources.get(slice);
  const parts = source ? [identityOf(source.connection), source.request] : [identityOf(slice)];
  return JSON.stringify([parts, args], (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    // JSON cannot represent NaN, infinities or undefined.
    return value === undefined || (typeof value === 'number' && !Number.isFinite(value))
      ? { special: String(value) }
      : value;
  });
}

function identityOf(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(object, lastIdentity);
  return lastIdentity;
}
