/** Positions of elements in C order of the reduced axes. */
import { sizeOf } from '../core/bytes/shape.js';
import { PIECE } from './number-planes.js';
import type { RunDim } from './elements.js';
import { positionOf, type TaskAxis } from './axis-map.js';

/** The position of one element. @param i index within the box, in C order */
export function positionWithin(dims: readonly RunDim[], axes: readonly TaskAxis[], i: number): number {
  let rest = i;
  let position = 0;
  for (let d = axes.length - 1; d >= 0; d--) {
    const [dim, axis] = [dims[d], axes[d]];
    if (dim === undefined || axis === undefined) continue;
    const along = rest % dim.count;
    rest = (rest - along) / dim.count;
    position += positionOf(axis.run, dim.start + along) * axis.positionStride;
  }
  return position;
}

let positions = new Float64Array(0);

/** The positions of all elements. Valid until the next call. */
export function positionsOf(dims: readonly RunDim[], axes: readonly TaskAxis[], count: number): Float64Array {
  if (positions.length < count) positions = new Float64Array(Math.max(PIECE, count));
  // Trailing axes that are kept do not change positions.
  let firstAlike = axes.length;
  while (firstAlike > 0 && axes[firstAlike - 1]?.positionStride === 0) firstAlike--;
  const alike = sizeOf(dims.slice(firstAlike).map((dim) => dim.count));
  let at = 0;
  const walk = (depth: number, base: number): void => {
    const [dim, axis] = [dims[depth], axes[depth]];
    if (dim === undefined || axis === undefined) {
      positions[at++] = base;
      return;
    }
    const { run, positionStride } = axis;
    if (depth >= firstAlike) {
      const end = at + alike;
      positions.fill(base, at, end);
      at = end;
      return;
    }
    if (depth === axes.length - 1) {
      if ('at' in run)
        for (let i = 0; i < dim.count; i++)
          positions[at++] = base + positionOf(run, dim.start + i) * positionStride;
      else {
        const first = base + positionOf(run, dim.start) * positionStride;
        const step = run.step * positionStride;
        for (let i = 0; i < dim.count; i++) positions[at++] = first + i * step;
      }
      return;
    }
    for (let i = 0; i < dim.count; i++)
      walk(depth + 1, base + positionOf(run, dim.start + i) * positionStride);
  };
  walk(0, 0);
  return positions;
}
