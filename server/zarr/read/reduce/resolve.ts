/** A request to reduce, checked against what is reduced, before anything is read. Pure. */
import { sizeOf } from '../../bytes/shape.js';
import type { DataType, FixedSizeType } from '../../dtype/data-type.js';
import { InputError, SelectionError, UnsupportedError } from '../../errors.js';
import { mappedShape, type AxisMap } from './axis-map.js';
import type { FinishOptions } from './finish.js';
import { reducerOf, hasMissing, resultTypeOf, type ReduceRequest } from './reduction.js';
import type { ReducerSpec } from './reducer.js';

export interface ReducedDim {
  readonly name: string | null;
  readonly size: number;
}

export interface ResolvedReduce extends FinishOptions {
  readonly by: ReduceRequest['by'];
  readonly reducer: ReducerSpec;
  /** Of the result. */
  readonly dtype: FixedSizeType;
  readonly shape: readonly number[];
  /** Of the dimensions that are reduced, one each. */
  readonly maps: readonly AxisMap[];
}

/**
 * @param over positions of the dimensions that are reduced
 * @param lengths of all dimensions
 * @throws InputError, SelectionError for what does not fit; UnsupportedError for a type that the reduction does not take
 */
export function resolveReduce(
  request: ReduceRequest,
  over: ReadonlySet<number>,
  lengths: readonly number[],
  source: DataType,
): ResolvedReduce {
  const { by, skipMissing = true, ddof = 0, minCount } = request;
  const dtype = resultTypeOf(by, source);
  assertCount('ddof', ddof);
  if (minCount !== undefined) assertCount('minCount', minCount);
  if (minCount !== undefined && (by === 'COUNT' || by === 'ARGMIN' || by === 'ARGMAX' || !hasMissing(dtype)))
    throw new InputError(`minCount needs a result that can be missing; ${by} gives ${dtype.name}`);
  if ((by === 'ARGMIN' || by === 'ARGMAX') && over.size !== 1)
    throw new InputError(`${by} takes exactly one dimension`);
  const maps = lengths.map((_, d): AxisMap => ({ kind: over.has(d) ? 'all' : 'keep' }));
  const shape = mappedShape(maps, lengths);
  const elements = sizeOf(lengths.filter((_, d) => over.has(d)));
  if (
    elements === 0 &&
    sizeOf(shape) > 0 &&
    ['MIN', 'MAX', 'FIRST', 'LAST'].includes(by) &&
    !hasMissing(dtype)
  )
    throw new SelectionError(`${by} of no values does not exist in the type ${dtype.name}`);
  if (!Number.isSafeInteger(elements))
    throw new UnsupportedError(`${by} of ${elements} elements is not supported`);
  const reducer = reducerOf(by, skipMissing);
  return { by, skipMissing, source, reducer, ddof, minCount, dtype, shape, elements, maps };
}

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InputError(`${name} is ${value}; it must be an integer from 0`);
}

/** Positions of the dimensions that a request names. @throws InputError, SelectionError */
export function dimensionsOver(
  over: readonly string[] | undefined,
  dims: readonly ReducedDim[],
): ReadonlySet<number> {
  if (over === undefined) return new Set(dims.keys());
  if (over.length === 0)
    throw new InputError('"over" names no dimension; leave it out to reduce all of them');
  if (over.length > dims.length)
    throw new InputError(`"over" names ${over.length} dimensions; there are ${dims.length}`);
  const found = over.map((name) => positionOf(name, dims));
  if (new Set(found).size < found.length) throw new InputError('"over" names a dimension twice');
  return new Set(found);
}

function positionOf(name: string, dims: readonly ReducedDim[]): number {
  const named = dims.findIndex((dim) => dim.name === name);
  if (named >= 0) return named;
  const position = /^(0|[1-9]\d{0,2})$/.test(name) ? Number(name) : NaN;
  if (position < dims.length) return position;
  const names = dims.map((dim, d) => `"${dim.name ?? d}"`).join(', ');
  throw new SelectionError(`there is no dimension "${name}"; the dimensions are ${names || 'none'}`);
}
