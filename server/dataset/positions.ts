/** Positions along dimensions, to and from the form in which a selection asks for them. Pure. */
import {
  composeSelections,
  type DimSelection,
  type ResolvedDim,
  resolveSelection,
  type SelectableDim,
} from '../zarr/index.js';

export { dimSelectionOf, selectionOf } from '../zarr/index.js';

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
