/** Slices that reduce blocks of neighbouring elements, or groups of positions along a dimension, to one each. */
import { defined } from '../../../wire/guards.js';
import { withContext, LimitError, InputError } from '../../core/errors.js';
import type { AxisMap } from '../../compute/axis-map.js';
import { listSpans, type GroupsMap, type SpansMap } from '../../compute/groups.js';
import type { DimLabels } from '../../compute/made-dim.js';
import { assertWeighted, type ReduceRequest } from '../../compute/reduce/reduction.js';
import {
  defaultMethod,
  resolveCoarsen,
  type Blocks,
  type CoarsenMethod,
  type CoarsenRequest,
} from '../../compute/reduce/resolve-coarsen.js';
import { resolveBlocks, resolveGroups } from '../../compute/reduce/resolve.js';
import type { DimSelection, Selection } from '../../format/selection/selection.js';
import { inTurns } from '../../core/turns.js';
import { guardSlice, type KnownValues } from '../guarded-slice.js';
import type { LazySlice } from '../lazy-slice.js';
import type { WeightFactor } from '../weight-factors.js';
import { weighSlice } from '../weighted-slice.js';
import { mapSlice } from './mapped-slice.js';
import { mappingOf } from './reduced-slice.js';

/**
 * Coarsens a slice. Skips missing values, except with NEAREST. Reads nothing.
 * @throws InputError and SelectionError for an invalid request; UnsupportedError for an unsupported data
 * type; LimitError for too many blocks of NEAREST
 */
export function coarsenSlice(slice: LazySlice, request: CoarsenRequest): LazySlice {
  try {
    const blocks = resolveCoarsen(request, slice.dims);
    return coarsened(slice, blocks, request.method ?? defaultMethod(slice.dtype));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}

function coarsened(
  slice: LazySlice,
  blocks: readonly (Blocks | undefined)[],
  method: CoarsenMethod,
): LazySlice {
  if (method === 'NEAREST')
    return slice.select({
      kind: 'dims',
      dims: blocks.map((along, d) => middles(along, defined(slice.shape[d]))),
    });
  // Blocks of one element leave a dimension unchanged, with all its coordinates.
  const factors = blocks.map((along) =>
    along === undefined || along.factor === 1 ? undefined : along.factor,
  );
  return coarsenBlocks(slice.select(withoutRest(blocks, slice.shape)), factors, method);
}

/**
 * @param factors number of elements per block of each dimension; undefined for unchanged dimensions. The last
 * block may be shorter
 * @throws UnsupportedError if the method does not support the data type
 */
export function coarsenBlocks(
  slice: LazySlice,
  factors: readonly (number | undefined)[],
  method: Exclude<CoarsenMethod, 'NEAREST'>,
): LazySlice {
  const maps = factors.map((size): AxisMap =>
    size === undefined ? { kind: 'keep' } : { kind: 'blocks', size },
  );
  return mapSlice(slice, maps, mappingOf(resolveBlocks(method, slice.dtype)));
}

/** Excludes an incomplete last block if the boundary requires it. */
function withoutRest(blocks: readonly (Blocks | undefined)[], shape: readonly number[]): Selection {
  if (blocks.every((along, d) => along === undefined || along.factor * along.blocks >= defined(shape[d])))
    return { kind: 'all' };
  return {
    kind: 'dims',
    dims: blocks.map((along): DimSelection =>
      along === undefined ? { kind: 'slice' } : { kind: 'slice', stop: along.factor * along.blocks },
    ),
  };
}

/**
 * Maximum number of positions listed individually: more would block the event loop before any other limit
 * applies.
 */
const MAX_LISTED = 2 ** 16;

/**
 * The middle element of each block, or the first of the two middle elements. For a last block that is too
 * short, its last element.
 */
function middles(along: Blocks | undefined, length: number): DimSelection {
  if (along === undefined) return { kind: 'slice' };
  const { factor, blocks } = along;
  const middle = Math.floor((factor - 1) / 2);
  if ((blocks - 1) * factor + middle < length || blocks === 0)
    return { kind: 'slice', start: middle, stop: blocks * factor, step: factor };
  if (blocks > MAX_LISTED)
    throw new LimitError(
      `NEAREST would select ${blocks} blocks, and the last block ends before its middle; ` +
        `at most ${MAX_LISTED} are supported in this case: set "boundary" to TRIM, or choose another size`,
    );
  return {
    kind: 'indices',
    indices: Array.from({ length: blocks }, (_, k) => Math.min(k * factor + middle, length - 1)),
  };
}

/** Groups of positions along a dimension. */
export interface Grouping {
  /** Index of the dimension in the slice. */
  readonly axis: number;
  readonly map: GroupsMap | SpansMap;
  /** The values from which the groups were computed. */
  readonly known: readonly KnownValues[];
}

/** A grouping with the group of each position. */
export interface ListedGrouping extends Grouping {
  readonly map: GroupsMap;
}

/** @param length number of positions along the dimension */
export async function listGroups(grouping: Grouping, length: number): Promise<ListedGrouping> {
  const { map } = grouping;
  return { ...grouping, map: map.kind === 'groups' ? map : await inTurns(listSpans(map, length)) };
}

/**
 * Reduces the members of each group to one element. Reads nothing. Results of empty groups are missing if
 * the data type has a missing value.
 * @param quantiles labels of the dimension that QUANTILE adds; if undefined, the dimension has no coordinate
 * @param weights as in `reduceSlice`
 * @throws InputError and SelectionError for an invalid request; UnsupportedError if the reduction does not
 * support the data type
 */
export function groupSlice(
  slice: LazySlice,
  { axis, map, known }: Grouping,
  request: Omit<ReduceRequest, 'over'>,
  quantiles?: DimLabels,
  weights?: readonly WeightFactor[],
): LazySlice {
  try {
    const isWeighted = weights !== undefined;
    if (isWeighted) assertWeighted(request, slice.dtype);
    const { resolved, maps } = resolveGroups(request, axis, map, slice.shape, slice.dtype, isWeighted);
    const added = [map.made?.labels.name, ...(resolved.q === undefined ? [] : ['quantile'])];
    const others = slice.dims.flatMap((dim, d) => (d === axis ? [] : [dim.name]));
    const twice = added.find((name) => name !== undefined && others.includes(name));
    if (twice !== undefined) throw new InputError(`the slice already has a dimension "${twice}"`);
    const input = weights === undefined ? slice : weighSlice(slice, weights);
    return mapSlice(guardSlice(input, known), maps, mappingOf(resolved, quantiles));
  } catch (error) {
    throw withContext(error, slice.where);
  }
}
