/** Folds with slots: a few numbers for each element of the result. */
import { assertInside } from '../../core/bytes/bounds.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { type CopyDim, copyPieces } from '../../core/bytes/strided-copy.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { runLength } from '../../format/plan/parts.js';
import { mappedShape, type AxisMap, type PlacedAxis, type TaskAxis } from '../axis-map.js';
import type { Kernel } from '../kernel.js';
import type { ElementsPartial } from './partial.js';
import { type PieceForm, forEachRow, type Piece, piecesOf } from '../piece.js';
import { kernelOf, type SlotReducer } from './reducer.js';
import {
  createState,
  isState,
  isWholeState,
  layoutIn,
  type ReduceState,
  type SlotRun,
  stateBytes,
} from '../state.js';
import type { Total, Fold } from './fold.js';

/**
 * A fold with slots: a few numbers for each element of the result.
 * @param shape shape of the slice
 * @param dtype data type of the values
 */
export function slotFold(
  reducer: SlotReducer,
  maps: readonly AxisMap[],
  shape: readonly number[],
  dtype: DataType,
): Fold<ReduceState> {
  const kernel = kernelOf(reducer, dtype, Infinity);
  const slots = sizeOf(mappedShape(maps, shape));
  const totalBytes = stateBytes(slots, kernel.arrays);
  const totalOf = (state: ReduceState): Total<ReduceState> => {
    return {
      add(partial, axes, form) {
        if (isElements(partial, axes, form)) return addElements(kernel, state, partial, axes, form);
        if (!isState(partial, sizeOf(axes.map(({ axis }) => axis.slots)), kernel.arrays))
          throw new TypeError('a decoding thread returned an invalid partial result');
        return mergePartial(kernel, state, partial, axes);
      },
      mergesByPieces: true,
      state: () => state,
      finish: () => state,
    };
  };
  return {
    reducer,
    maps,
    totalBytes,
    slotBytes: stateBytes(1, kernel.arrays),
    createTotal: () => totalOf(createState(slots, kernel.arrays)),
    resumeTotal(state) {
      if (isWholeState(state, slots, kernel.arrays)) return totalOf(state);
      throw new TypeError('the state is not that of the reduction');
    },
  };
}

const SLOTS_PER_STEP = 16_384;

/**
 * Merges the partial result of a task. Yields after at most `SLOTS_PER_STEP` slots.
 * @param axes axes of the task
 */
function* mergePartial(
  kernel: Kernel,
  total: ReduceState,
  partial: ReduceState,
  axes: readonly PlacedAxis[],
): Generator<void> {
  const { start, dims } = slotsInTotal(axes, total);
  for (const piece of copyPieces({ from: 0, to: start, dims: joined(dims) }, 1, SLOTS_PER_STEP)) {
    forEachSlotRun(piece.dims, 0, piece.from, piece.to, (run) => {
      kernel.merge(total, partial, run);
      addCounts(total.count, partial.count, run);
    });
    yield;
  }
}

/**
 * The slots of a task as a box: strides in the partial result and in the total.
 * @throws RangeError for a slot outside the total
 */
function slotsInTotal(
  axes: readonly PlacedAxis[],
  total: ReduceState,
): { readonly start: number; readonly dims: readonly CopyDim[] } {
  const own = stridesOf(axes.map(({ axis }) => axis.slots));
  let start = 0;
  const dims = axes.map(({ axis: { slots }, result, resultStride: to }, d): CopyDim => {
    const from = own[d];
    if ('at' in result) return { count: slots, from, to: 0, toAt: result.at.map((k) => k * to) };
    start += result.start * to;
    return { count: slots, from, to: result.step * to };
  });
  if (!axes.some(({ axis }) => axis.slots === 0)) assertInside(dims, 'to', start, 1, total.count.length);
  return { start, dims };
}

function joined(dims: readonly CopyDim[]): CopyDim[] {
  const box: CopyDim[] = [];
  for (const dim of dims) {
    if (dim.count === 1 && dim.toAt === undefined) continue;
    const outer = box.at(-1);
    const isOne =
      outer?.toAt === undefined &&
      dim.toAt === undefined &&
      outer?.from === dim.from * dim.count &&
      outer.to === dim.to * dim.count;
    if (isOne) box[box.length - 1] = { ...dim, count: outer.count * dim.count };
    else box.push(dim);
  }
  return box;
}

function forEachSlotRun(
  dims: readonly CopyDim[],
  depth: number,
  from: number,
  to: number,
  visit: (run: SlotRun) => void,
): void {
  const dim = dims[depth];
  if (dim === undefined) return visit({ count: 1, to, toStride: 0, from, fromStride: 0 });
  if (depth === dims.length - 1 && dim.toAt === undefined)
    return visit({ count: dim.count, to, toStride: dim.to, from, fromStride: dim.from });
  for (let i = 0; i < dim.count; i++)
    forEachSlotRun(dims, depth + 1, from + i * dim.from, to + (dim.toAt?.[i] ?? i * dim.to), visit);
}

function addCounts(into: Float64Array, from: Float64Array, run: SlotRun): void {
  const [start, stride] = layoutIn(from, run);
  const { count, to, toStride } = run;
  for (let n = 0, i = to, j = start; n < count; n++) {
    into[i] = into[i] + from[j];
    i += toStride;
    j += stride;
  }
}

/** @throws TypeError if the elements are not bytes, or not as many as the elements of the task take */
function isElements(
  partial: unknown,
  axes: readonly PlacedAxis[],
  { itemSize }: PieceForm,
): partial is ElementsPartial {
  if (typeof partial !== 'object' || partial === null || !('elements' in partial)) return false;
  const { elements } = partial;
  const length = sizeOf(axes.map(({ axis }) => runLength(axis.run))) * (itemSize ?? NaN);
  if (elements instanceof Uint8Array && elements.length === length) return true;
  throw new TypeError('a decoding thread returned an invalid partial result');
}

/** Adds the elements of a partial result to their slots. Yields after at most `PIECE` elements. */
function* addElements(
  kernel: Kernel,
  total: ReduceState,
  { elements }: ElementsPartial,
  axes: readonly PlacedAxis[],
  form: PieceForm,
): Generator<void> {
  const { start } = slotsInTotal(axes, total);
  const strides = axes.map(({ result, resultStride }) =>
    'at' in result ? resultStride : result.step * resultStride,
  );
  const counts = axes.map(({ axis }) => runLength(axis.run));
  const itemStrides = stridesOf(counts, form.itemSize ?? 1);
  const region = { from: 0, dims: counts.map((count, d) => ({ count, from: itemStrides[d] })) };
  const taskAxes = axes.map(inResult);
  const pieces = piecesOf({ bytes: elements }, region, taskAxes, form, strides, start);
  for (const piece of pieces) {
    kernel.addEach?.(total, piece);
    addCountsOfElements(total.count, piece);
    yield;
  }
}

/** Replaces the slots of a task by positions in the result, if the result lists the position of each slot. */
function inResult({ axis, result }: PlacedAxis): TaskAxis {
  const { slotOf } = axis;
  if (!('at' in result)) return axis;
  if (slotOf === 'own' || slotOf === 'one' || !('list' in slotOf))
    throw new TypeError('the elements have no slots');
  return { ...axis, slotOf: { list: slotOf.list.map((slot) => result.at[slot] ?? -1) } };
}

function addCountsOfElements(into: Float64Array, piece: Piece): void {
  const [plane] = piece.planes;
  const { hasMissing } = piece;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 1)
      countEach(plane.subarray(at, at + length), into.subarray(slot, slot + length), hasMissing);
    else
      for (let i = at, s = slot; i < at + length; i++, s += stride)
        if (!hasMissing || plane[i] === plane[i]) into[s] = into[s] + 1;
  });
}

function countEach(plane: Float64Array, into: Float64Array, hasMissing: boolean): void {
  if (hasMissing) {
    for (let i = 0; i < into.length; i++) if (plane[i] === plane[i]) into[i] = into[i] + 1;
  } else for (let i = 0; i < into.length; i++) into[i] = into[i] + 1;
}
