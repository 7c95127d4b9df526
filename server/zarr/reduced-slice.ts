/** Slices that are reduced along dimensions: see `reduceSlice`. */
import { sizeOf } from './bytes/shape.js';
import { dataTypeName, type Block } from './dtype/data-type.js';
import { atPlace, InputError, SelectionError, throwIfAborted, UnsupportedError } from './errors.js';
import { foldCost, foldSlice } from './fold-slice.js';
import type { LazySlice, SliceDim, SliceFoldOptions, SliceOrigin, SliceReadOptions } from './lazy-slice.js';
import { exceededLimits } from './read/check-limits.js';
import { finishState } from './read/reduce/finish.js';
import { slotFold } from './read/reduce/fold.js';
import type { ReduceRequest } from './read/reduce/reduction.js';
import { dimensionsOver, resolveReduce, type ResolvedReduce } from './read/reduce/resolve.js';
import type { ReduceState } from './read/reduce/state.js';
import { dimSelectionOf } from './selection/as-selection.js';
import { resolveSelection } from './selection/resolve.js';
import type { DimSelection, Selection } from './selection/selection.js';
import { streamSlice } from './stream-slice.js';
import { createPause } from './turns.js';

/**
 * The slice without the dimensions that are reduced; nothing is read. Its values are computed chunk by chunk: see
 * `foldSlice`.
 * @throws InputError and SelectionError for a request that does not fit; UnsupportedError for a type that the reduction does
 *   not take
 */
export function reduceSlice(slice: LazySlice, request: ReduceRequest): LazySlice {
  try {
    return reducedOver(slice, request, dimensionsOver(request.over, slice.dims));
  } catch (error) {
    throw atPlace(error, slice.where);
  }
}

/** @param over positions of the dimensions that are reduced */
function reducedOver(input: LazySlice, request: ReduceRequest, over: ReadonlySet<number>): LazySlice {
  const resolved = resolveReduce(request, over, input.shape, input.dtype);
  const { dtype, shape, maps } = resolved;
  const isKept = maps.map(({ kind }) => kind !== 'all');
  const fold = slotFold(resolved.reducer, maps, input.shape, input.dtype);
  const cost = () => foldCost(input, fold, sizeOf(shape) * dtype.itemSize);
  const slice: LazySlice = {
    where: input.where,
    inputs: input.inputs,
    origin: keptOrigin(input, isKept),
    dtype,
    dtypeName: dataTypeName(dtype),
    shape,
    dims: input.dims.filter((_, d) => isKept[d]),
    takesOut: true,
    select: (selection) => selectKept(input, request, slice.dims, isKept, selection),
    field() {
      throw new SelectionError(`values of the type ${dtype.name} have no fields; only a struct has`);
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    async read(options = {}) {
      const state = await foldSlice(input, fold, foldOptions(options));
      return finishBlock(state, resolved, options);
    },
    stream: (options) => streamSlice(slice, options),
  };
  return slice;
}

function foldOptions({ signal, limits, keepChunks, onVersion }: SliceReadOptions): SliceFoldOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(limits === undefined ? {} : { limits }),
    ...(keepChunks === undefined ? {} : { keepChunks }),
    ...(onVersion === undefined ? {} : { onVersion }),
  };
}

async function finishBlock(
  state: ReduceState,
  resolved: ResolvedReduce,
  { out, signal }: SliceReadOptions,
): Promise<Block> {
  const { dtype, shape } = resolved;
  const length = sizeOf(shape) * dtype.itemSize;
  const bytes = out ?? new Uint8Array(length);
  if (bytes.length !== length)
    throw new InputError(`"out" has ${bytes.length} bytes; the result takes ${length}`);
  const pause = createPause();
  for (const _ of finishState(state, resolved, bytes)) {
    await pause();
    throwIfAborted(signal);
  }
  return { dtype, shape, bytes };
}

/** The origin without the dimensions that are reduced: only coordinates of the others still describe the values. */
function keptOrigin({ origin, dims }: LazySlice, isKept: readonly boolean[]): SliceOrigin {
  const { selection, dimensionNames, shape, chunkShape } = origin;
  if (selection.kind === 'points') {
    if (selection.dropped || isKept[0] === true) return origin;
    return { dimensionNames: [], shape: [], chunkShape: [], selection: { kind: 'box', dims: [] } };
  }
  let d = 0;
  const stays = selection.dims.map((dim) => dim.dropped || isKept[d++] !== false);
  if (d > dims.length) throw new TypeError('the slice has fewer dimensions than its origin');
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, place) => stays[place]);
  return {
    dimensionNames: kept(dimensionNames),
    shape: kept(shape),
    chunkShape: kept(chunkShape),
    selection: { kind: 'box', dims: kept(selection.dims) },
  };
}

/** A part of the result is the reduction of a part of the input: all of the dimensions that are reduced. */
function selectKept(
  input: LazySlice,
  request: ReduceRequest,
  dims: readonly SliceDim[],
  isKept: readonly boolean[],
  selection: Selection,
): LazySlice {
  const resolved = resolveSelection(selection, dims);
  if (resolved.kind === 'points')
    throw new UnsupportedError(
      'single points of reduced values cannot be chosen; choose them before the reduction',
    );
  const left = [...resolved.dims];
  const chosen = isKept.map((kept) => (kept ? left.shift() : undefined));
  const onInput = chosen.map((dim): DimSelection =>
    dim === undefined ? { kind: 'slice' } : dimSelectionOf(dim),
  );
  // Dimensions that are dropped move those behind them.
  const stays = chosen.flatMap((dim, d) => (dim !== undefined && dim.dropped ? [] : [d]));
  const over = stays.flatMap((d, place) => (isKept[d] === true ? [] : [place]));
  return reducedOver(input.select({ kind: 'dims', dims: onInput }), request, new Set(over));
}
