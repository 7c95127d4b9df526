/** Validates requests for reductions before anything is read. Pure. */
import { quoted } from '../../core/bytes/parse-json.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { InputError, SelectionError, UnsupportedError } from '../../core/errors.js';
import { mappedShape, type AxisMap } from '../axis-map.js';
import { groupSizes, type GroupsMap, type SpansMap } from '../groups.js';
import type { ResolvedReduce } from '../kernel.js';
import {
  hasMissing,
  reductionOf,
  reductionsWith,
  resultTypeOf,
  type ReduceRequest,
  type ReductionName,
} from './reduction.js';

export interface ReducedDim {
  readonly name: string | null;
  readonly size: number;
}

/** Maximum number of quantiles per request: for large inputs, each requires up to two tables of counts. */
const MAX_QUANTILES = 64;

/**
 * @param over positions of the reduced dimensions
 * @param lengths lengths of all dimensions
 * @throws InputError, SelectionError for an invalid request; UnsupportedError for an unsupported data type or
 * too many elements
 */
export function resolveReduce(
  { by, q, skipMissing = true, ddof, minCount }: ReduceRequest,
  over: ReadonlySet<number>,
  lengths: readonly number[],
  source: DataType,
  isWeighted = false,
): { readonly resolved: ResolvedReduce; readonly maps: readonly AxisMap[] } {
  const dtype = isWeighted ? resultTypeOf('MEAN', source) : resultTypeOf(by, source);
  assertDdof(by, ddof);
  if (minCount !== undefined) assertCount('minCount', minCount);
  if (minCount !== undefined && !hasMissing(dtype))
    throw new InputError(`minCount requires a data type with a missing value; ${by} returns ${dtype.name}`);
  const { isPosition = false, slots } = reductionOf(by);
  if (isPosition && over.size !== 1)
    throw new InputError(`${by} requires exactly one dimension in "over"; got ${over.size}`);
  assertQuantiles(by, q);
  const maps = lengths.map((_, d): AxisMap => ({ kind: over.has(d) ? 'all' : 'keep' }));
  const elements = sizeOf(lengths.filter((_, d) => over.has(d)));
  if (elements === 0 && needsValue(by, dtype) && sizeOf(mappedShape(maps, lengths)) > 0)
    throw nothingOf(by, dtype);
  if (!Number.isSafeInteger(elements) && slots?.kernel(source, elements, skipMissing).needsPositions === true)
    throw new UnsupportedError(
      `${by} supports at most 2^53 - 1 elements; this slice has ${elements} per result`,
    );
  return { resolved: { by, q, skipMissing, source, ddof: ddof ?? 0, minCount, dtype, isWeighted }, maps };
}

/**
 * Validates the reduction of groups along one dimension.
 * @throws errors from `resolveReduce`; SelectionError for a group without members if the reduction then has
 * no result
 */
export function resolveGroups(
  request: Omit<ReduceRequest, 'over'>,
  axis: number,
  map: GroupsMap | SpansMap,
  lengths: readonly number[],
  source: DataType,
  isWeighted = false,
): { readonly resolved: ResolvedReduce; readonly maps: readonly AxisMap[] } {
  const members = lengths.with(axis, Math.max(1, lengths[axis]));
  const { resolved, maps } = resolveReduce(request, new Set([axis]), members, source, isWeighted);
  const { by, dtype } = resolved;
  if (needsValue(by, dtype) && groupSizes(map).includes(0)) throw nothingOf(by, dtype);
  return { resolved: { ...resolved, isEmptyMissing: hasMissing(dtype) }, maps: maps.with(axis, map) };
}

/** Resolves the reduction of blocks of neighbours. @throws UnsupportedError for an unsupported data type */
export function resolveBlocks(by: ReductionName, source: DataType): ResolvedReduce {
  const dtype = resultTypeOf(by, source);
  // Missing values are skipped, so blocks may have different numbers of elements.
  return { by, q: undefined, skipMissing: true, source, ddof: 0, minCount: undefined, dtype };
}

/** Whether the reduction has no result without elements. */
function needsValue(by: ReductionName, dtype: DataType): boolean {
  return reductionOf(by).withoutValues === 'missing' && !hasMissing(dtype);
}

export function nothingOf(by: ReductionName, dtype: DataType): SelectionError {
  return new SelectionError(
    `${by} without elements has no value in ${dtype.name}; every result requires at least one element`,
  );
}

function assertQuantiles(by: ReductionName, q: readonly number[] | undefined): void {
  if (by !== 'QUANTILE') {
    if (q !== undefined) throw new InputError(`${by} does not accept "q"; only QUANTILE does`);
    return;
  }
  if (q === undefined || q.length === 0) throw new InputError('QUANTILE requires "q": numbers from 0 to 1');
  if (q.length > MAX_QUANTILES)
    throw new InputError(`"q" lists ${q.length} quantiles; at most ${MAX_QUANTILES} are allowed`);
  const wrong = q.find((quantile) => !(quantile >= 0 && quantile <= 1));
  if (wrong !== undefined) throw new InputError(`"q" contains ${wrong}; quantiles must be between 0 and 1`);
}

/** @throws InputError for an invalid number, and for reductions without degrees of freedom */
export function assertDdof(by: ReductionName, ddof: number | undefined): void {
  if (ddof === undefined) return;
  if (reductionOf(by).hasDdof !== true)
    throw new InputError(`${by} does not accept "ddof"; only ${reductionsWith('hasDdof').join(' and ')} do`);
  assertCount('ddof', ddof);
}

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InputError(`${name} is ${value}; expected a non-negative integer`);
}

/** The positions of the requested dimensions. @throws InputError or SelectionError for an invalid list */
export function dimensionsOver(
  over: readonly string[] | undefined,
  dims: readonly ReducedDim[],
): ReadonlySet<number> {
  if (over === undefined) return new Set(dims.keys());
  if (over.length === 0) throw new InputError('"over" is empty; omit it to reduce all dimensions');
  if (over.length > dims.length)
    throw new InputError(`"over" names ${over.length} dimensions; the slice has ${dims.length}`);
  const positions = over.map((name) => positionOfDim(name, dims));
  const repeated = over.find((_, i) => positions.indexOf(positions[i] ?? -1) < i);
  if (repeated !== undefined) throw new InputError(`"over" lists "${repeated}" more than once`);
  return new Set(positions);
}

export function positionOfDim(name: string, dims: readonly ReducedDim[]): number {
  const named = dims.findIndex((dim) => dim.name === name);
  if (named >= 0) return named;
  const position = /^(0|[1-9]\d{0,2})$/.test(name) ? Number(name) : NaN;
  if (position < dims.length) return position;
  const names = dims.map((dim, d) => `"${dim.name ?? d}"`).join(', ');
  throw new SelectionError(`unknown dimension ${quoted(name)}; the dimensions are ${names || 'none'}`);
}
