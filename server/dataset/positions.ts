/** Composes selections of positions along one dimension. Pure functions. */
import { defined } from '../../wire/guards.js';
import {
  composeSelections,
  dimSelectionOf,
  type DimSelection,
  type ResolvedDim,
  resolveSelection,
  type SelectableDim,
} from '../zarr/index.js';

export { dimSelectionOf, selectionOf } from '../zarr/index.js';

/** Text that is equal for equal positions: the selection as JSON. */
export function printAlong(dim: ResolvedDim): string {
  const selection = dimSelectionOf(dim);
  return JSON.stringify(
    selection.kind === 'indices' ? { ...selection, indices: [...selection.indices] } : selection,
  );
}

/**
 * Selects along one dimension among positions that were selected before.
 * @throws SelectionError for an invalid selection, or positions out of range
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
  if (along === undefined)
    throw new TypeError('resolving a selection of one dimension returned no dimension');
  return along;
}

/** Number of selected positions. */
export function countAlong(dim: ResolvedDim): number {
  return dim.kind === 'range' ? dim.count : dim.at.length;
}

export function positionAlong(dim: ResolvedDim, i: number): number {
  return dim.kind === 'range' ? dim.start + i * dim.step : defined(dim.at[i]);
}
