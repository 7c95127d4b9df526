/** Converts resolved selections back to selections. Pure functions. */
import type { DimSelection, ResolvedDim, ResolvedSelection, Selection } from './selection.js';

/** Converts resolved positions to a selection. */
export function dimSelectionOf(dim: ResolvedDim): DimSelection {
  if (dim.kind === 'list') return { kind: 'indices', indices: [...dim.at] };
  const { start, step, count, dropped } = dim;
  if (dropped) return { kind: 'index', index: start };
  if (count === 0) return { kind: 'slice', start: 0, stop: 0, step: 1 };
  const stop = start + count * step;
  // Omits a stop of -1, which would mean the last element.
  return stop < 0 ? { kind: 'slice', start, step } : { kind: 'slice', start, stop, step };
}

/** Like `dimSelectionOf`, for all dimensions in order. */
export function selectionOf(resolved: ResolvedSelection): Selection {
  if (resolved.kind === 'box') return { kind: 'dims', dims: resolved.dims.map(dimSelectionOf) };
  const points = Array.from({ length: resolved.count }, (_, p) => resolved.at.map((list) => list[p] ?? 0));
  return { kind: 'points', points };
}
