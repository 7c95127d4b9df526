/** Slices of fewer elements along some dimensions: blocks of neighbours become one. */
import { withContext, LimitError } from './errors.js';
import type { LazySlice } from './lazy-slice.js';
import { mapSlice } from './mapped-slice.js';
import type { AxisMap } from './read/reduce/axis-map.js';
import {
  defaultMethod,
  resolveCoarsen,
  type Blocks,
  type CoarsenMethod,
  type CoarsenRequest,
} from './read/reduce/coarsening.js';
import { resolveBlocks } from './read/reduce/resolve.js';
import { mappingOf } from './reduced-slice.js';
import type { DimSelection, Selection } from './selection/selection.js';

/**
 * The slice with blocks of neighbours put together; nothing is read. Missing values are left out.
 * @throws InputError and SelectionError for a request that does not fit; UnsupportedError for a type that the method does not
 *   take; LimitError for too many blocks of NEAREST
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
    return slice.select({ kind: 'dims', dims: blocks.map((one, d) => middles(one, slice.shape[d] ?? 0)) });
  const factors = blocks.map((one) => one?.factor);
  return coarsenBlocks(slice.select(withoutRest(blocks, slice.shape)), factors, method);
}

/**
 * @param factors elements of a block, of each dimension; undefined: it stays. The last block may have fewer
 * @throws UnsupportedError for a type that the method does not take
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

/** Whole blocks only, where the last one is left out. */
function withoutRest(blocks: readonly (Blocks | undefined)[], shape: readonly number[]): Selection {
  if (blocks.every((one, d) => one === undefined || one.factor * one.blocks >= (shape[d] ?? 0)))
    return { kind: 'all' };
  return {
    kind: 'dims',
    dims: blocks.map((one): DimSelection =>
      one === undefined ? { kind: 'slice' } : { kind: 'slice', stop: one.factor * one.blocks },
    ),
  };
}

/** Positions that are written out one by one: more would block the event loop before any other limit applies. */
const MAX_LISTED = 2 ** 16;

/** The middle element of each block, the first of two; of a last block that ends before it, its last. */
function middles(one: Blocks | undefined, length: number): DimSelection {
  if (one === undefined) return { kind: 'slice' };
  const { factor, blocks } = one;
  const middle = Math.floor((factor - 1) / 2);
  if ((blocks - 1) * factor + middle < length || blocks === 0)
    return { kind: 'slice', start: middle, stop: blocks * factor, step: factor };
  if (blocks > MAX_LISTED)
    throw new LimitError(
      `NEAREST takes at most ${MAX_LISTED} blocks where the last one ends before its middle; ${blocks} are requested. Choose the boundary TRIM or another size`,
    );
  return {
    kind: 'indices',
    indices: Array.from({ length: blocks }, (_, k) => Math.min(k * factor + middle, length - 1)),
  };
}
