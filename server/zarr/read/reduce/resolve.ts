/** A request to reduce, checked against what is reduced, before anything is read. Pure. */
import { sizeOf } from '../../bytes/shape.js';
import type { DataType, FixedSizeType } from '../../dtype/data-type.js';
import { InputError, SelectionError, UnsupportedError } from '../../errors.js';
import type { FinishOptions } from './finish.js';
import type { Role } from './partial.js';
import { needsPositions } from './prepare.js';
import { hasMissing, resultTypeOf, type ReduceRequest } from './reduction.js';

export interface ReducedDim {
  readonly name: string | null;
  readonly size: number;
}

export interface ResolvedReduce extends FinishOptions {
  readonly by: ReduceRequest['by'];
  readonly skipMissing: boolean;
  /** Of the result. */
  readonly dtype: FixedSizeType;
  readonly shape: readonly number[];
  /** Of the dimensions that are reduced from, one each. */
  readonly roles: readonly Role[];
}

/**
 * @throws InputError, SelectionError for what does not fit; UnsupportedError for a type that the reduction does not take
 */
export function resolveReduce(
  request: ReduceRequest,
  dims: readonly ReducedDim[],
  source: DataType,
): ResolvedReduce {
  const { by, skipMissing = true, ddof = 0, minCount } = request;
  const dtype = resultTypeOf(by, source);
  assertCount('ddof', ddof);
  if (minCount !== undefined) assertCount('minCount', minCount);
  if (minCount !== undefined && (by === 'COUNT' || by === 'ARGMIN' || by === 'ARGMAX' || !hasMissing(dtype)))
    throw new InputError(`minCount needs a result that can be missing; ${by} gives ${dtype.name}`);
  const over = reducedDims(request.over, dims);
  if ((by === 'ARGMIN' || by === 'ARGMAX') && over.size !== 1)
    throw new InputError(`${by} takes exactly one dimension`);
  const shape = dims.flatMap(({ size }, d) => (over.has(d) ? [] : [size]));
  const elements = sizeOf(dims.flatMap(({ size }, d) => (over.has(d) ? [size] : [])));
  if (
    elements === 0 &&
    sizeOf(shape) > 0 &&
    ['MIN', 'MAX', 'FIRST', 'LAST'].includes(by) &&
    !hasMissing(dtype)
  )
    throw new SelectionError(`${by} of no values does not exist in the type ${dtype.name}`);
  if (!Number.isSafeInteger(elements) && needsPositions(by))
    throw new UnsupportedError(`${by} of ${elements} elements is not supported`);
  return { by, skipMissing, ddof, minCount, dtype, shape, elements, roles: rolesOf(dims, over) };
}

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InputError(`${name} is ${value}; it must be an integer from 0`);
}

function reducedDims(over: readonly string[] | undefined, dims: readonly ReducedDim[]): ReadonlySet<number> {
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

/** In C order of what is reduced. */
function rolesOf(dims: readonly ReducedDim[], over: ReadonlySet<number>): Role[] {
  let stride = 1;
  return dims
    .map(({ size }, d) => ({ size, d }))
    .reverse()
    .map(({ size, d }): Role => {
      if (!over.has(d)) return { isKept: true, positionStride: 0 };
      const positionStride = stride;
      stride *= size;
      return { isKept: false, positionStride };
    })
    .reverse();
}
