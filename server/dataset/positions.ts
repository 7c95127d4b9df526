/** Positions along dimensions, to and from the form in which a selection asks for them. Pure. */
import {
  composeSelections,
  type DimSelection,
  type ResolvedDim,
  type ResolvedSelection,
  resolveSelection,
  type SelectableDim,
  type Selection,
} from '../zarr/index.js';

/** The selection that chooses exactly these positions. */
export function dimSelectionOf(dim: ResolvedDim): DimSelection {
  if (dim.kind === 'list') return { kind: 'indices', indices: [...dim.at] };
  const { start, step, count, dropped } = dim;
  if (dropped) return { kind: 'index', index: start };
  if (count === 0) return { kind: 'slice', start: 0, stop: 0, step: 1 };
  const stop = start + count * step;
  // Before the first element lies no number: -1 would be the last one.
  return stop < 0 ? { kind: 'slice', start, step } : { kind: 'slice', start, stop, step };
}

/** As above for all dimensions, in order. */
export function selectionOf(resolved: ResolvedSelection): Selection {
  if (resolved.kind === 'box') return { kind: 'dims', dims: resolved.dims.map(dimSelectionOf) };
  const points = Array.from({ length: resolved.count }, (_, p) => resolved.at.map((list) => list[p] ?? 0));
  return { kind: 'points', points };
}

/**
 * Positions along one dimension, chosen among those that were chosen before.
 * @throws SelectionError
 */
export function selectAlong(
  dim: SelectableDim,
  before: ResolvedDim | undefined,
  by: DimSelection,
): ResolvedDim {
  const chosen = resolveSelection({ kind: 'dims', dims: [by] }, [dim]);
  const outer = before === undefined ? undefined : ({ kind: 'box', dims: [before] } as const);
  const composed = outer === undefined ? chosen : composeSelections(outer, chosen);
  const along = composed.kind === 'box' ? composed.dims[0] : undefined;
  if (along === undefined) throw new TypeError('one dimension was selected, and none came back');
  return along;
}

/** How many positions there are, and the element at the i-th. */
export function countAlong(dim: ResolvedDim): number {
  return dim.kind === 'range' ? dim.count : dim.at.length;
}

export function positionAlong(dim: ResolvedDim, i: number): number {
  return dim.kind === 'range' ? dim.start + i * dim.step : (dim.at[i] ?? 0);
}
