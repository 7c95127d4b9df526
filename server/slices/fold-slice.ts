/** Folds the values of any slice, on the threads that decode the chunks or block by block. */
import { defined } from '../../wire/guards.js';
import { sizeOf } from '../core/bytes/shape.js';
import type { Values } from '../core/bytes/values.js';
import type { Block, DataType } from '../core/dtype/data-type.js';
import { throwIfAborted } from '../core/errors.js';
import { tasksInFlight } from '../format/plan/plan.js';
import type { PlanCost } from '../format/plan/cost.js';
import {
  mappedAxes,
  placeAxis,
  type MappedAxis,
  type PlacedAxis,
  type TaskAxis,
} from '../compute/axis-map.js';
import { type AxisNumbers, cellsOfTask, noCells } from '../compute/cells.js';
import type { Fold, Total } from '../compute/reduce/fold.js';
import { partialOfBlock, type ReduceSpec } from '../compute/reduce/partial.js';
import type { PieceForm } from '../compute/piece.js';
import { createPause } from '../core/turns.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { MAX_ALIGNED_BYTES } from './split-slice.js';

/** The cost of folding. @param outputBytes size of the result */
export function foldCost(slice: LazySlice, fold: Fold<unknown>, outputBytes: number | undefined): PlanCost {
  const cost = slice.cost();
  const chunkElements = cost.chunkBytes / Math.max(1, slice.dtype.itemSize ?? 1);
  const partialBytes = Math.min(fold.totalBytes, chunkElements * fold.slotBytes);
  // Slices without `fold` are read in blocks.
  const blockBytes = slice.fold === undefined ? Math.min(cost.allocatedBytes, MAX_ALIGNED_BYTES) : 0;
  return {
    ...cost,
    decodedBytes: 0,
    reducedBytes: cost.reducedBytes + cost.decodedBytes,
    outputBytes,
    allocatedBytes: outputBytes ?? 0,
    intermediateBytes:
      cost.intermediateBytes +
      fold.totalBytes +
      Math.min(cost.chunks, tasksInFlight(cost.chunkBytes)) * partialBytes +
      blockBytes,
  };
}

/**
 * Folds all values of a slice, each once. Memory is bounded by the merged result and the partial results of
 * chunks in flight. The result is reproducible bit by bit, independent of the order in which chunks arrive
 * and of the threads.
 * @throws errors from `LazySlice.read`
 */
export function foldSlice<T>(slice: LazySlice, fold: Fold<T>, options: SliceFoldOptions = {}): Promise<T> {
  return slice.fold === undefined ? foldBlocks(slice, fold, options) : slice.fold(fold, options);
}

/** Folds block by block. Elements arrive in C order of the slice. */
export async function foldBlocks<T>(
  slice: LazySlice,
  fold: Fold<T>,
  options: SliceFoldOptions = {},
): Promise<T> {
  const axes = mappedAxes(fold.maps, slice.shape);
  const total = fold.createTotal();
  const pause = createPause();
  const { signal, limits, onVersion } = options;
  for await (const { block, from } of slice.stream({ signal, limits, onVersion }))
    for (const _ of addBlock(total, fold, block, axes, startOf(from, slice.shape))) {
      await pause();
      throwIfAborted(signal);
    }
  return total.finish();
}

/**
 * @param start index of the block's first element
 * @param more weights of the block's elements, in addition to those of the fold
 */
export function* addBlock(
  total: Total<unknown>,
  fold: Fold<unknown>,
  block: Block,
  axes: readonly MappedAxis[],
  start: readonly number[],
  more: readonly AxisNumbers[] = [],
): Generator<void> {
  const { dtype, shape } = block;
  const { placed, own, form } = yield* workOfBox(fold, dtype, axes, { start, shape }, more);
  const values: Values = 'bytes' in block ? { bytes: aligned(block.bytes) } : { items: block.items };
  const partial = yield* partialOfBlock(form, own, shape, values);
  yield* total.add(partial, placed, form);
}

/** The work of reducing a box of a slice. `own` and `form` are plain data. */
export interface BoxWork {
  readonly placed: readonly PlacedAxis[];
  readonly own: readonly TaskAxis[];
  readonly form: PieceForm & Pick<ReduceSpec, 'reducer'>;
}

/** Yields between pieces of work. @param dtype data type of the values */
export function* workOfBox(
  { reducer, cells }: Fold<unknown>,
  dtype: DataType,
  axes: readonly MappedAxis[],
  { start, shape }: { readonly start: readonly number[]; readonly shape: readonly number[] },
  more: readonly AxisNumbers[] = [],
): Generator<void, BoxWork, void> {
  const placed: PlacedAxis[] = [];
  for (const [d, axis] of axes.entries())
    placed.push(yield* placeAxis(axis, { start: defined(start[d]), step: 1, count: shape[d] ?? 1 }));
  const own = placed.map(({ axis }) => axis);
  const known = cells === undefined ? undefined : yield* cellsOfTask(cells, own.map(({ run }) => run)); // prettier-ignore
  const beside = more.length === 0 ? known : { ...(known ?? noCells), weights: [...(known?.weights ?? []), ...more] }; // prettier-ignore
  return {
    placed,
    own,
    form: { reducer, dtype, transform: undefined, itemSize: dtype.itemSize, cells: beside },
  };
}

/** Returns the block at an aligned address, so that typed arrays can view it. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

/** Converts a position in C order to one index per dimension. */
function startOf(position: number, shape: readonly number[]): number[] {
  const sizes = shape.map((_, d) => sizeOf(shape.slice(d + 1)));
  return shape.map((length, d) => Math.floor(position / Math.max(1, sizes[d] ?? 1)) % Math.max(1, length));
}
