/** Adds a partial result of unreduced elements, each in a separate slot. */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import { runLength } from '../parts.js';
import type { PlacedAxis, TaskAxis } from './axis-map.js';
import type { Kernel } from './kernel.js';
import type { ElementsPartial } from './partial.js';
import { forEachRow, type Piece, type PieceForm, piecesOf } from './piece.js';
import type { ReduceState } from './state.js';

/** @throws TypeError if the number of elements differs from the task's */
export function isElements(
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

/** Yields every few thousand elements. */
export function* addElements(
  kernel: Kernel,
  total: ReduceState,
  { elements }: ElementsPartial,
  axes: readonly PlacedAxis[],
  form: PieceForm,
): Generator<void> {
  let base = 0;
  const strides = axes.map(({ result, resultStride }) => {
    if ('at' in result) return resultStride;
    base += result.start * resultStride;
    return result.step * resultStride;
  });
  const counts = axes.map(({ axis }) => runLength(axis.run));
  const itemStrides = stridesOf(counts, form.itemSize ?? 1);
  const region = { from: 0, dims: counts.map((count, d) => ({ count, from: itemStrides[d] ?? 0 })) };
  const taskAxes = axes.map(inResult);
  const pieces = piecesOf({ bytes: elements }, region, taskAxes, form, kernel.needsPositions, strides, base);
  for (const piece of pieces) {
    kernel.addEach?.(total, piece);
    addCounts(total.count, piece);
    yield;
  }
}

/** The axis with the positions in the result instead of the task's own slots, if these are in any order. */
function inResult({ axis, result }: PlacedAxis): TaskAxis {
  const { slotOf } = axis;
  if (!('at' in result)) return axis;
  if (slotOf === 'own' || slotOf === 'one' || !('list' in slotOf))
    throw new TypeError('the elements have no slots');
  return { ...axis, slotOf: { list: slotOf.list.map((slot) => result.at[slot] ?? -1) } };
}

function addCounts(into: Float64Array, piece: Piece): void {
  const [plane] = piece.planes;
  if (plane === undefined) return;
  const { hasMissing } = piece;
  forEachRow(piece, (at, length, slot, stride) => {
    if (stride === 1)
      countEach(plane.subarray(at, at + length), into.subarray(slot, slot + length), hasMissing);
    else
      for (let i = at, s = slot; i < at + length; i++, s += stride)
        if (!hasMissing || plane[i] === plane[i]) into[s] = (into[s] ?? 0) + 1;
  });
}

function countEach(plane: Float64Array, into: Float64Array, hasMissing: boolean): void {
  if (hasMissing) {
    for (let i = 0; i < into.length; i++) if (plane[i] === plane[i]) into[i] = (into[i] ?? 0) + 1;
  } else for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) + 1;
}
