/** Slices that are reduced along dimensions. */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { collectMapping } from './collect-mapping.js';
import { isFixedSize, type Block } from '../../core/dtype/data-type.js';
import { withContext, InputError, throwIfAborted, UnsupportedError } from '../../core/errors.js';
import { foldCost, foldSlice } from '../fold-slice.js';
import type { LazySlice, SliceReadOptions, SliceReduction } from '../lazy-slice.js';
import { defaultLimits } from '../../core/limits.js';
import { mapSlice, type Mapping } from './mapped-slice.js';
import { assertWithinLimits } from '../../format/plan/cost.js';
import { mappedShape, type AxisMap, mappedAxes, mappedLength, spanAt } from '../../compute/axis-map.js';
import { ranksInGroups, groupSizes } from '../../compute/groups.js';
import { finishState } from '../../compute/reduce/finish.js';
import { slotFold } from '../../compute/reduce/slot-fold.js';
import { type Fold } from '../../compute/reduce/fold.js';
import type { ResolvedReduce, SlotFacts } from '../../compute/kernel.js';
import type { DimLabels } from '../../compute/made-dim.js';
import {
  assertWeighted,
  collectedBy,
  reductionOf,
  type ReduceRequest,
} from '../../compute/reduce/reduction.js';
import { dimensionsOver, resolveReduce } from '../../compute/reduce/resolve.js';
import type { ReduceState } from '../../compute/state.js';
import type { DimSelection } from '../../format/selection/selection.js';
import { createPause, inTurns } from '../../core/turns.js';
import type { WeightFactor } from '../weight-factors.js';
import { weighSlice } from '../weighted-slice.js';
import { destination } from '../../core/bytes/values.js';

/**
 * Reduces a slice along dimensions. Reads nothing. Values are computed chunk by chunk (see `foldSlice`), or from all
 * elements of a result at once (see `collectMapping`).
 * @param weights weights for SUM, MEAN, VAR and STD: SUM is sum(w * x); the others are divided by sum(w)
 * @param quantiles labels of the dimension that QUANTILE adds; if undefined, the dimension has no coordinate
 * @throws InputError and SelectionError for an invalid request; UnsupportedError for a data type that the
 * reduction does not support
 */
export function reduceSlice(
  slice: LazySlice,
  request: ReduceRequest,
  weights?: readonly WeightFactor[],
  quantiles?: DimLabels,
): LazySlice {
  try {
    const over = dimensionsOver(request.over, slice.dims);
    if (weights !== undefined) assertWeighted(request, slice.dtype);
    const input = weights === undefined ? slice : weighSlice(slice, weights);
    return reducedOver(withinExtent(input, request, over), request, over, weights !== undefined, quantiles);
  } catch (error) {
    throw withContext(error, slice.where);
  }
}

/** Excludes positions of the reduced dimensions where all values are missing, so that less is read. */
function withinExtent(
  slice: LazySlice,
  { by, skipMissing = true }: ReduceRequest,
  over: ReadonlySet<number>,
): LazySlice {
  const { extent } = slice;
  const isSkipped = skipMissing && reductionOf(by).missingElement !== 'counts';
  if (extent === undefined || !isSkipped) return slice;
  const dims = slice.dims.map(
    (_, d): DimSelection => (over.has(d) ? extent[d] : undefined) ?? { kind: 'slice' },
  );
  return slice.select({ kind: 'dims', dims });
}

/** @param over indices of the reduced dimensions */
function reducedOver(
  input: LazySlice,
  request: ReduceRequest,
  over: ReadonlySet<number>,
  isWeighted: boolean,
  quantiles: DimLabels | undefined,
): LazySlice {
  const { resolved, maps } = resolveReduce(request, over, input.shape, input.dtype, isWeighted);
  if (resolved.q !== undefined && input.dims.some(({ name }, d) => name === 'quantile' && !over.has(d)))
    throw new InputError('QUANTILE adds the dimension "quantile", which the slice already has');
  return mapSlice(input, maps, mappingOf(resolved, quantiles));
}

/**
 * Maps values along axes to their reduction.
 * @param quantiles labels of the dimension that QUANTILE adds
 */
export function mappingOf(resolved: ResolvedReduce, quantiles?: DimLabels): Mapping {
  return collectedBy(resolved.by, resolved.source) === undefined
    ? foldMapping(resolved)
    : collectMapping(resolved, quantiles);
}

/** A mapping whose results are folded into slots; see `foldSlice`. */
function foldMapping(resolved: ResolvedReduce): Mapping {
  const { dtype, by, skipMissing, isWeighted = false } = resolved;
  const reducer = { kind: 'reduction', by, skipMissing, isWeighted } as const;
  const foldOf = (input: LazySlice, maps: readonly AxisMap[]): Fold<ReduceState> =>
    slotFold(reducer, maps, input.shape, input.dtype);
  const reductionOf = (input: LazySlice, maps: readonly AxisMap[]): SliceReduction => ({
    input,
    fold: foldOf(input, maps),
    async finish(state, options) {
      const facts = await factsOf(by, maps, input.shape);
      return finishBlock(state, resolved, facts, mappedShape(maps, input.shape), options);
    },
  });
  return {
    dtype,
    reduction: reductionOf,
    cost: (input, maps, outputBytes) => foldCost(input, foldOf(input, maps), outputBytes),
    async read(input, maps, options) {
      const shape = mappedShape(maps, input.shape);
      const { fold, finish } = reductionOf(input, maps);
      const limits = options.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits;
      assertWithinLimits(foldCost(input, fold, sizeOf(shape) * (dtype.itemSize ?? 0)), limits);
      const { signal, keepChunks, onVersion } = options;
      const state = await foldSlice(input, fold, { signal, limits: options.limits, keepChunks, onVersion });
      return finish(state, options);
    },
  };
}

async function factsOf(
  by: ReduceRequest['by'],
  maps: readonly AxisMap[],
  lengths: readonly number[],
): Promise<SlotFacts> {
  const elements = elementCounter(maps, lengths);
  const isPosition = reductionOf(by).isPosition === true;
  const spans = isPosition ? maps.find((map) => map.kind === 'spans') : undefined;
  if (spans !== undefined) {
    const startOf = (position: number): number => defined(spans.starts[spanAt(spans.starts, position)]);
    return { elements, indexOf: (position) => (position < 0 ? position : position - startOf(position)) };
  }
  const grouped = isPosition ? maps.find((map) => map.kind === 'groups') : undefined;
  const ranks = grouped === undefined ? undefined : await inTurns(ranksInGroups(grouped));
  return { elements, indexOf: (position) => (position < 0 ? position : (ranks?.[position] ?? position)) };
}

async function finishBlock(
  state: ReduceState,
  resolved: ResolvedReduce,
  facts: SlotFacts,
  shape: readonly number[],
  { out, signal }: SliceReadOptions,
): Promise<Block> {
  const { dtype } = resolved;
  if (!isFixedSize(dtype))
    throw new UnsupportedError(`unsupported data type ${dtype.name} for the result of a reduction`);
  const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
  const pause = createPause();
  for (const _ of finishState(state, resolved, facts, bytes)) {
    await pause();
    throwIfAborted(signal);
  }
  return { dtype, shape, bytes };
}

/** @returns the number of elements of a result, including missing ones, by its index in C order */
function elementCounter(maps: readonly AxisMap[], lengths: readonly number[]): (slot: number) => number {
  let each = 1;
  const varying: ((slot: number) => number)[] = [];
  mappedAxes(maps, lengths).forEach(({ map, resultStride }, d) => {
    const length = lengths[d] ?? 1;
    if (map.kind === 'all') each *= length;
    const sizeOf = sizesAlong(map, length);
    if (sizeOf === undefined) return;
    const count = mappedLength(map, length);
    varying.push((slot) => sizeOf(Math.floor(slot / resultStride) % count));
  });
  return (slot) => varying.reduce((product, sizeOf) => product * sizeOf(slot), each);
}

/** The number of elements of each result along an axis; undefined if it is the same for all results. */
function sizesAlong(map: AxisMap, length: number): ((k: number) => number) | undefined {
  switch (map.kind) {
    case 'keep':
    case 'all':
      return undefined;
    case 'blocks':
      return (k) => Math.min(map.size, length - k * map.size);
    case 'spans':
      return (k) => defined(map.starts[k + 1]) - defined(map.starts[k]);
    case 'groups': {
      const sizes = groupSizes(map);
      return (k) => defined(sizes[k]);
    }
  }
}
