/** Counts the list entries of selections, to charge them to the request. */
import type { ResolvedSelection } from '../../zarr/index.js';
import type { DimSelection, NamedDimSelection, Selection } from '../generated/types.js';

/** Entries of the lists in a selection; for text, the number of characters. */
export function entriesIn(select: Selection): number {
  if (select.text !== undefined) return select.text.length;
  if (select.dims !== undefined) return select.dims.reduce((sum, dim) => sum + entriesOfDim(dim), 0);
  if (select.named !== undefined) return entriesInNamed(select.named);
  return select.points.reduce((sum, point) => sum + point.length, 0);
}

export function entriesInNamed(named: readonly NamedDimSelection[]): number {
  return named.reduce((sum, { by }) => sum + entriesOfDim(by), 0);
}

function entriesOfDim({ indices, mask, values }: DimSelection): number {
  return (indices ?? mask ?? values)?.length ?? 1;
}

/** Number of individually listed positions, which every further slice of the selection processes again. */
export function positionsOf(selection: ResolvedSelection): number {
  if (selection.kind === 'points') return selection.count * selection.at.length;
  return selection.dims.reduce((sum, dim) => sum + (dim.kind === 'list' ? dim.at.length : 0), 0);
}
