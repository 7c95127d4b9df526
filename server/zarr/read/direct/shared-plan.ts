/** Serialises plans for threads, and derives the tasks from them there. Pure. */
import { regularGrid, chunkShapeOf } from '../../chunk/grid.js';
import type { CodecChain } from '../../codec/codec.js';
import { layoutOf } from '../../sharding/layout.js';
import { listParts, type DimPart } from '../parts.js';
import { boxTask, planRead, type ReadPlan, type ReadTask } from '../plan.js';
import type { SharedPlan } from './protocol.js';

export function sharePlan({ layout, dtype, transform, selection }: ReadPlan): SharedPlan {
  return {
    arrayShape: layout.grid.dims.map((dim) => dim.size),
    chunkShape: chunkShapeOf(layout.grid),
    axes: layout.axes,
    dtype,
    transform,
    selection,
  };
}

/** The plan without its shards: threads receive the location of each chunk. */
export function restorePlan(shared: SharedPlan, chain: CodecChain): ReadPlan {
  const grid = regularGrid(shared.arrayShape, shared.chunkShape);
  const layout = layoutOf(grid, chain, shared.axes, []);
  return planRead(layout, shared.dtype, shared.selection, shared.transform);
}

/** Finds the task of a box plan by the position of its chunk. */
export function taskFinder(plan: ReadPlan): (position: readonly number[]) => ReadTask | undefined {
  const { selection, layout } = plan;
  if (selection.kind === 'points') return () => undefined;
  const perDim = selection.dims.map((dim, d): ReadonlyMap<number, DimPart> => {
    const gridDim = layout.grid.dims[d];
    return new Map((gridDim === undefined ? [] : listParts(dim, gridDim)).map((part) => [part.chunk, part]));
  });
  return (position) => {
    const parts: DimPart[] = [];
    for (const [d, chunk] of position.entries()) {
      const part = perDim[d]?.get(chunk);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return boxTask(plan, parts);
  };
}
