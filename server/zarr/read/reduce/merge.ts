/**
 * Merges partial results into the result, slot by slot, in the order of the plan, so that the result is
 * reproducible bit by bit.
 */
import { copyPieces } from '../../bytes/copy-pieces.js';
import { stridesOf } from '../../bytes/shape.js';
import type { CopyDim } from '../../bytes/strided-copy.js';
import type { PlacedAxis } from './axis-map.js';
import type { Kernel } from './kernel.js';
import { placeIn, type ReduceState, type SlotRun } from './state.js';

const SLOTS_PER_STEP = 16_384;

/** Yields every few thousand slots. @param axes axes of the task */
export function* mergePartial(
  kernel: Kernel,
  total: ReduceState,
  partial: ReduceState,
  axes: readonly PlacedAxis[],
): Generator<void> {
  const own = stridesOf(axes.map(({ axis }) => axis.slots));
  let start = 0;
  const dims = axes.map(({ axis: { slots }, result, resultStride: to }, d): CopyDim => {
    const from = own[d] ?? 0;
    if ('at' in result) return { count: slots, from, to: 0, toAt: result.at.map((k) => k * to) };
    start += result.start * to;
    return { count: slots, from, to: result.step * to };
  });
  for (const piece of copyPieces({ from: 0, to: start, dims: joined(dims) }, 1, SLOTS_PER_STEP)) {
    forEachSlotRun(piece.dims, 0, piece.from, piece.to, (run) => {
      kernel.merge(total, partial, run);
      addCounts(total.count, partial.count, run);
    });
    yield;
  }
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
  const [start, stride] = placeIn(from, run);
  const { count, to, toStride } = run;
  for (let n = 0, i = to, j = start; n < count; n++) {
    into[i] = (into[i] ?? 0) + (from[j] ?? 0);
    i += toStride;
    j += stride;
  }
}
