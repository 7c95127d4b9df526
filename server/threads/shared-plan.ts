/** A plan as plain data, from which a thread derives the tasks with the same code. */
import type { ChunkGrid } from '../format/grid.js';
import type { CodecChain } from '../format/codec/codec.js';
import type { DataType } from '../core/dtype/data-type.js';
import { CodecError } from '../core/errors.js';
import type { ResolvedSelection } from '../format/selection/selection.js';
import { layoutOf } from '../format/plan/layout.js';
import { listParts, type DimPart } from '../format/plan/parts.js';
import { boxTask, planRead, type ReadPlan, type ReadTask } from '../format/plan/plan.js';
import type { ElementTransform } from '../format/plan/element-transform.js';

export interface SharedPlan {
  /** Grid of the innermost chunks. */
  readonly grid: ChunkGrid;
  /** See `InnerChunkLayout`. */
  readonly axes: readonly number[];
  readonly dtype: DataType;
  readonly transform: ElementTransform | undefined;
  readonly selection: ResolvedSelection;
}

export function sharePlan({ layout, dtype, transform, selection }: ReadPlan): SharedPlan {
  return {
    grid: layout.grid,
    axes: layout.axes,
    dtype,
    transform,
    selection,
  };
}

/** The plan without its shards: threads receive the location of each chunk. @param chain chain of the largest chunk */
export function restorePlan(shared: SharedPlan, chain: CodecChain): ReadPlan {
  const layout = layoutOf(shared.grid, chain, shared.axes, []);
  return planRead(layout, shared.dtype, shared.selection, shared.transform);
}

/**
 * Finds the task of a box plan by the position of its chunk.
 * @returns a function that throws a CodecError for any other chunk
 */
export function taskFinder(plan: ReadPlan): (position: readonly number[]) => ReadTask {
  const { selection, layout } = plan;
  if (selection.kind === 'points') throw new CodecError('points are not read directly');
  const perDim = selection.dims.map((dim, d): ReadonlyMap<number, DimPart> => {
    const gridDim = layout.grid.dims[d];
    return new Map((gridDim === undefined ? [] : listParts(dim, gridDim)).map((part) => [part.chunk, part]));
  });
  return (position) => {
    const parts: DimPart[] = [];
    for (const [d, chunk] of position.entries()) {
      const part = perDim[d]?.get(chunk);
      if (part === undefined) throw new CodecError('the chunk is not part of the read');
      parts.push(part);
    }
    return boxTask(plan, parts);
  };
}
