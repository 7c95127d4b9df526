/** Slices that are reduced on the gateway. */
import { origins, type Origin } from '../transport/origin.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import type { ArrayHandle, SliceOptions } from '../handles/array-handle.js';
import type { VariableHandle } from '../handles/dataset-handle.js';
import { type AnyVariables, type CoordinatesOf, withTypes } from '../handles/stores.js';
import type { DatasetExpression, Reduction, SliceRequest, SliceStep } from '../generated/operations.js';
import { declaredMethods, type DeclaredOptions } from '../generated/steps.js';
import { InputError } from '../errors.js';
import { assertDType } from '../handles/dtype-option.js';
import { toLabel } from '../selection/labels.js';
import { type Label, toSelectionInput, type Selection } from '../selection/selection.js';
import {
  type AnalysisResponse,
  lineParams,
  loadAnalysis,
  malformed,
  parseLine,
  parseStatistics,
  sources,
  statisticsParams,
} from './load.js';
import { createJobs, type JobInfo } from '../handles/jobs.js';
import { isRecord } from '../json/json.js';
import type { RequestOptions } from '../transport/document.js';
import {
  imageParams,
  parsePicture,
  parseTiles,
  tilesParams,
  type ImageOptions,
  type Picture,
  type TileOptions,
  type TileSet,
} from './picture.js';
import { dtypesAfter, lineDTypes } from './result-dtype.js';
import {
  type CoarsenedOf,
  type DeclaredOf,
  type CoarsenMethod,
  type CoarsenOptions,
  type GeoPolygon,
  type InterpolatedNames,
  type InterpolateOptions,
  type LevelsOptions,
  type LineMethod,
  type LineOf,
  type LineOptions,
  type LinePoints,
  type MaskedOf,
  type MeanOf,
  type ReduceOptions,
  type Statistics,
  type StatisticsOptions,
  type SumOf,
  type WeightedOf,
  type OverOf,
  type DroppedOf,
  type ReductionParameter,
  type Without,
  type GroupBy,
  type GroupedDims,
  type GroupOptions,
  type QuantileDim,
  type RollingOptions,
  groupingInput,
} from './types.js';

/** The operations whose arguments are all options. */
type DeclaredMethods<D extends DTypeName, N extends string, V extends object> = {
  readonly [K in keyof DeclaredOptions]: <const O extends DeclaredOptions<N>[K]>(
    options: O,
  ) => LazySlice<DeclaredOf<D, K, O>, N, V>;
};

/**
 * A part of an array and operations on it, computed by the gateway. No request is sent until one of its methods reads a
 * result. `D` is the data type of the values, `N` the names of the remaining dimensions.
 */
export interface LazySlice<
  D extends DTypeName = DTypeName,
  N extends string = string,
  V extends object = AnyVariables,
> extends DeclaredMethods<D, N, V> {
  /** Reads the values. Slices read together share a request. @throws errors from `ArrayHandle.slice` */
  read(options?: SliceOptions): Promise<NDArrayUnion<D, CoordinatesOf<V>>>;
  /**
   * Starts the job that computes a reduction with the mode JOB, or finds it. `read` fails until it has ended.
   * @throws InputError without such a reduction; errors of `Jobs.start`
   * @example
   * const mean = sst.reduce('MEAN', { mode: 'JOB' });
   * const { id } = await mean.job();
   * for await (const { done, tasks } of client.jobs.watch(id)) console.log(done / tasks);
   * const [value] = (await mean.read()).data;
   */
  job(options?: RequestOptions): Promise<JobInfo>;
  /** One field of a struct. The dimensions of a sub-array field come last. */
  field(name: string): LazySlice<DTypeName, string, V>;
  /** Reduces the values along dimensions. */
  reduce<
    R extends Reduction,
    const O extends readonly N[] = readonly [],
    const U extends ReductionParameter<N> | undefined = undefined,
  >(
    by: R,
    options?: ReduceOptions<O, U>,
  ): LazySlice<WeightedOf<D, R, U>, Without<N, O>, V>;
  /**
   * The mean over the named dimensions, or over all dimensions if none is named.
   * @example
   * const series = await sst.mean('lat', 'lon').read();
   */
  mean<const O extends readonly N[]>(...over: OverOf<D, 'mean', O>): LazySlice<MeanOf<D>, Without<N, O>, V>;
  /** The sum over the named dimensions, or over all dimensions if none is named. */
  sum<const O extends readonly N[]>(...over: OverOf<D, 'sum', O>): LazySlice<SumOf<D>, Without<N, O>, V>;
  /** The minimum over the named dimensions, or over all dimensions if none is named. */
  min<const O extends readonly N[]>(...over: OverOf<D, 'extreme', O>): LazySlice<D, Without<N, O>, V>;
  /** The maximum over the named dimensions, or over all dimensions if none is named. */
  max<const O extends readonly N[]>(...over: OverOf<D, 'extreme', O>): LazySlice<D, Without<N, O>, V>;
  /** The standard deviation over the named dimensions, or over all dimensions if none is named. */
  std<const O extends readonly N[]>(...over: OverOf<D, 'rank', O>): LazySlice<MeanOf<D>, Without<N, O>, V>;
  /** The median over the named dimensions, or over all dimensions if none is named. */
  median<const O extends readonly N[]>(...over: OverOf<D, 'rank', O>): LazySlice<MeanOf<D>, Without<N, O>, V>;
  /** The number of non-missing values over the named dimensions, or over all dimensions if none is named. */
  count<const O extends readonly N[]>(...over: O): LazySlice<'int64', Without<N, O>, V>;
  /** Quantiles over the named dimensions. The first dimension of the result is `quantile`. */
  quantile<const O extends readonly N[]>(
    q: number | readonly number[],
    ...over: OverOf<D, 'rank', O>
  ): LazySlice<MeanOf<D>, Without<N, O> | 'quantile', V>;
  /**
   * Reduces blocks, by default numbers to their mean, so that each named dimension has at most this many elements.
   * @example
   * await sst.coarsen({ lat: 200, lon: 400 }).read();
   */
  coarsen<const M extends CoarsenMethod | undefined = undefined>(
    to: { readonly [K in N]?: number },
    options?: CoarsenOptions<M>,
  ): LazySlice<CoarsenedOf<D, M>, N, V>;
  /**
   * Groups positions along a dimension by the labels of its coordinate, and reduces each group. Periods
   * (`resample`) keep the name of the dimension. Otherwise the new dimension is `month`, `season`, `dayofyear`, `hour`,
   * the name of the dimension with the suffix `_bins`, or the name of the coordinate.
   * @example
   * const climatology = await sst.group({ part: { dim: 'time', part: 'MONTH' } }, 'MEAN').read();
   * const annual = await sst.group({ resample: { dim: 'time', unit: 'YEAR' } }, 'MAX').read();
   */
  group<
    const G extends GroupBy<N>,
    R extends Reduction,
    const U extends ReductionParameter<N> | undefined = undefined,
  >(
    by: G,
    reduce: R,
    options?: GroupOptions<U>,
  ): LazySlice<WeightedOf<D, R, U>, GroupedDims<N, G> | QuantileDim<R>, V>;
  /**
   * Subtracts the mean of its group from each value.
   * @example
   * const anomaly = await sst.anomaly({ part: { dim: 'time', part: 'MONTH' } }).read();
   */
  anomaly(by: GroupBy<N>): LazySlice<MeanOf<D>, N, V>;
  /**
   * Reduces a window that moves along a dimension.
   * @example
   * const weekly = await sst.rolling({ dim: 'time', window: 7, by: 'MEAN' }).read();
   */
  rolling<R extends Reduction, const U extends ReductionParameter<N> | undefined = undefined>(
    options: RollingOptions<N, R, U>,
  ): LazySlice<WeightedOf<D, R, U>, N, V>;
  /**
   * Keeps the values of cells whose centre is inside a polygon; all other values become missing.
   * @example
   * const mean = await sst.within(country).mean('lat', 'lon').read();
   */
  within(geometry: GeoPolygon): LazySlice<MaskedOf<D>, N, V>;
  /**
   * Interpolates linearly along sorted coordinates; NaN outside the coordinates and next to missing values.
   * Without `along`, the result has every combination of the labels. With `along`, it has points along one
   * dimension of this name.
   * @example
   * const [zurich] = (await sst.interpolate({ lat: [47.4], lon: [8.5] }, { along: 'station' }).read()).data;
   */
  interpolate<
    const T extends { readonly [K in N]?: readonly Label[] },
    const A extends string | undefined = undefined,
  >(
    at: T,
    options?: InterpolateOptions<A>,
  ): LazySlice<'float64', InterpolatedNames<N, keyof T, A>, V>;
  /**
   * Interpolates vertically, to levels that may vary from column to column; NaN outside.
   * @example
   * const pressures = await t.levels({ dim: 'level', coordinate: 'p', values: [850, 500], method: 'LOG' }).read();
   */
  levels<const O extends LevelsOptions<N>>(
    options: O,
  ): LazySlice<'float64', O extends { readonly onto: string } ? string : N, V>;
  /** Loads the points of a line chart. @throws GatewayError, TransportError, InputError without a width */
  line<const M extends LineMethod | undefined = undefined>(
    options: LineOptions<N, M>,
  ): Promise<LinePoints<LineOf<D, M>>>;
  /** Computes statistics of all values. @throws GatewayError, TransportError */
  statistics(options?: StatisticsOptions): Promise<Statistics>;
  /**
   * Creates a link to a picture.
   * @throws GatewayError, TransportError
   * @example
   * const { href } = await sst.image({ width: 800, colorMap: 'inferno', range: [0, 30] });
   */
  image(options?: ImageOptions): Promise<Picture>;
  /** Creates links to map tiles of a slice with latitudes and longitudes. @throws GatewayError, TransportError */
  tiles(options?: TileOptions): Promise<TileSet>;
}

/**
 * Selects a part of an array or of a variable like `slice` of its handle, for the gateway to reduce. The variable must
 * have every dimension that `dataset.select` restricts.
 * @throws InputError BAD_SELECTION for a malformed selection; BAD_INPUT if `handle` is a store, a group or not a handle
 * @example
 * const sst = lazySlice(client.store('coads').dataset().variable('SST'), { TIME: [0, 12] });
 * const mean = await sst.mean('TIME').read();
 */
export function lazySlice<
  D extends DTypeName,
  N extends string,
  V extends object,
  const S extends Selection<N, V> | undefined = undefined,
>(
  handle: ArrayHandle<D, N, object, V> | VariableHandle<D, N, object, V>,
  selection?: S,
): LazySlice<D, Exclude<N, DroppedOf<S>>, V> {
  const origin = origins.get(handle);
  if (origin === undefined)
    throw new InputError('BAD_INPUT', 'lazySlice requires a handle of an array or variable');
  const { selects = [] } = origin;
  const steps = selects.map((named): SliceStep => ({ select: { named } }));
  const select = toSelectionInput(selection);
  const slice = createLazySlice(origin, select === null ? steps : [...steps, { select }]);
  return withTypes<LazySlice<D, Exclude<N, DroppedOf<S>>, V>>(slice);
}

/** The source of a slice before any operation. */
export interface SliceOrigin extends Origin {
  /** An expression of variables of the dataset at `path`, and the results that it names. */
  readonly compute?: Pick<DatasetExpression, 'expression' | 'inputs'>;
}

export function createLazySlice(origin: SliceOrigin, steps: readonly SliceStep[]): LazySlice {
  const { connection, store, path, selects, compute } = origin;
  // Whether values are decoded; true for variables of a dataset.
  const decode = selects !== undefined;
  const request: SliceRequest =
    compute === undefined ? { store, path, decode, steps } : { store, compute: { path, ...compute }, steps };
  const withStep = (step: SliceStep) => createLazySlice(origin, [...steps, step]);
  const reduce = (by: Reduction, options: ReduceOptions<readonly string[]> = {}) =>
    withStep({ reduce: { by, ...toReduceInput(options) } });
  const shorthand =
    (by: Reduction) =>
    (...over: readonly string[]) =>
      reduce(by, { over });
  const expected = dtypesAfter(origin.expected, steps);
  const where = `slice of "${path}" of store "${store}"`;
  const read = async ({ coordinates = decode, ...options }: SliceOptions = {}) =>
    assertDType(await connection.slice({ request, coordinates }, options), expected, where);
  const slice = {
    read,
    job: async (options: RequestOptions = {}) => {
      if (!steps.some(({ reduce: own }) => own?.mode === 'JOB'))
        throw new InputError('BAD_INPUT', 'only a reduction with the mode JOB has a job');
      const params = { request, field: 'job { id }', args: {} };
      const id = await loadAnalysis(connection, params, options, parseJobId);
      return createJobs(connection).get(id, options);
    },
    field: (name: string) => withStep({ field: name }),
    reduce,
    mean: shorthand('MEAN'),
    sum: shorthand('SUM'),
    min: shorthand('MIN'),
    max: shorthand('MAX'),
    std: shorthand('STD'),
    median: shorthand('MEDIAN'),
    count: shorthand('COUNT'),
    quantile: (q: number | readonly number[], ...over: readonly string[]) =>
      reduce('QUANTILE', { over, using: { q: typeof q === 'number' ? [q] : q } }),
    coarsen: (
      to: Readonly<Record<string, number | undefined>>,
      { method, boundary }: CoarsenOptions<CoarsenMethod | undefined> = {},
    ) =>
      withStep({
        coarsen: {
          to: Object.entries(to).flatMap(([dim, size]) => (size === undefined ? [] : [{ dim, size }])),
          ...(method === undefined ? {} : { method }),
          ...(boundary === undefined ? {} : { boundary }),
        },
      }),
    group: (by: GroupBy, reduction: Reduction, options: GroupOptions = {}) =>
      withStep({ group: { by: groupingInput(by), reduce: reduction, ...definedOf(options) } }),
    anomaly: (by: GroupBy) => withStep({ anomaly: groupingInput(by) }),
    rolling: (options: RollingOptions) =>
      withStep({
        rolling: { dim: options.dim, window: options.window, by: options.by, ...definedOf(options) },
      }),
    levels: ({ dim, ...levels }: LevelsOptions<string>) =>
      withStep({ interpolate: [{ dim, ...definedOf(levels) }] }),
    interpolate: (
      at: Readonly<Record<string, readonly Label[] | undefined>>,
      { along, wrap = {} }: InterpolateOptions<string | undefined> = {},
    ) =>
      withStep({
        interpolate: Object.entries(at).flatMap(([dim, values]) =>
          values === undefined
            ? []
            : [
                {
                  dim,
                  values: values.map((label) => toLabel(label, `dimension "${dim}"`)),
                  ...(along === undefined ? {} : { along }),
                  ...(wrap[dim] === undefined ? {} : { wrap: wrap[dim] }),
                },
              ],
        ),
      }),
    ...declaredMethods(withStep),
    within: ({ type, coordinates }: GeoPolygon) => withStep({ within: { type, coordinates } }),
    line: async (options: LineOptions) => {
      const points = await loadAnalysis(connection, { request, ...lineParams(options) }, options, parseLine);
      assertDType(points.y, lineDTypes(expected, options.method), where);
      return points;
    },
    statistics: (options: StatisticsOptions = {}) =>
      loadAnalysis(connection, { request, ...statisticsParams(options) }, options, parseStatistics),
    image: (options: ImageOptions = {}) =>
      loadAnalysis(connection, { request, ...imageParams(options) }, options, (response) =>
        parsePicture(response, connection),
      ),
    tiles: (options: TileOptions = {}) =>
      loadAnalysis(connection, { request, ...tilesParams(options) }, options, (response) =>
        parseTiles(response, connection),
      ),
  };
  sources.set(slice, { connection, request });
  return withTypes<LazySlice>(slice);
}

/** Removes undefined members, so that their defaults apply. */
function definedOf<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function toReduceInput(options: ReduceOptions<readonly string[]>) {
  const { over = [], using, skipMissing = true, minCount, mode } = options;
  const own = { over: over.length === 0 ? null : over, using, skipMissing, minCount };
  return mode === undefined ? own : { ...own, mode };
}

/** @throws the error of the job; TransportError for a malformed response */
function parseJobId({ slice, errors: [error] }: AnalysisResponse): string {
  if (error !== undefined) throw error;
  const { job } = slice;
  if (isRecord(job) && typeof job['id'] === 'string') return job['id'];
  throw malformed();
}
