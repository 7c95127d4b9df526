/**
 * Composes two selections into one selection of the array, so that only needed elements are read. Pure
 * functions.
 */
import type { ResolvedDim, ResolvedSelection } from './selection.js';

/** Shape of the result of a selection, without dropped dimensions. */
export function selectedShape(selection: ResolvedSelection): number[] {
  if (selection.kind === 'points') return selection.dropped ? [] : [selection.count];
  return selection.dims.filter((dim) => !dim.dropped).map(countOf);
}

export function countOf(dim: ResolvedDim): number {
  return dim.kind === 'range' ? dim.count : dim.at.length;
}

/** The position in the array of element i of a dimension. */
export function positionAt(dim: ResolvedDim, i: number): number {
  return dim.kind === 'range' ? dim.start + i * dim.step : (dim.at[i] ?? 0);
}

/** @param inner selection that is resolved against `selectedShape(outer)` */
export function composeSelections(outer: ResolvedSelection, inner: ResolvedSelection): ResolvedSelection {
  if (outer.kind === 'points') return composeOnPoints(outer, inner);
  const kept = outer.dims.flatMap((dim, d) => (dim.dropped ? [] : [d]));
  if (inner.kind === 'points') {
    const lists = outer.dims.map((dim, d) => {
      const place = kept.indexOf(d);
      const chosen = inner.at[place];
      if (chosen === undefined) return new Float64Array(inner.count).fill(positionAt(dim, 0));
      return chosen.map((i) => positionAt(dim, i));
    });
    return { kind: 'points', at: lists, count: inner.count, dropped: inner.dropped };
  }
  const dims = outer.dims.map((dim, d) => {
    const by = inner.dims[kept.indexOf(d)];
    return by === undefined ? dim : composeDim(dim, by);
  });
  return { kind: 'box', dims };
}

function composeDim(outer: ResolvedDim, inner: ResolvedDim): ResolvedDim {
  if (inner.kind === 'list')
    return { kind: 'list', at: inner.at.map((i) => positionAt(outer, i)), dropped: false };
  if (outer.kind === 'range')
    return {
      kind: 'range',
      start: inner.count === 0 ? 0 : positionAt(outer, inner.start),
      // For fewer than two positions, the step is irrelevant, and the product of steps could exceed 2^53.
      step: inner.count < 2 ? 1 : outer.step * inner.step,
      count: inner.count,
      dropped: inner.dropped,
    };
  if (inner.dropped)
    return { kind: 'range', start: positionAt(outer, inner.start), step: 1, count: 1, dropped: true };
  const at = Float64Array.from({ length: inner.count }, (_, i) => positionAt(outer, positionAt(inner, i)));
  return { kind: 'list', at, dropped: false };
}

/** A selection of points has one dimension; selecting from it selects points. */
function composeOnPoints(
  outer: Extract<ResolvedSelection, { kind: 'points' }>,
  inner: ResolvedSelection,
): ResolvedSelection {
  const by: ResolvedDim | undefined = inner.kind === 'box' ? inner.dims[0] : undefined;
  const chosen = inner.kind === 'points' ? inner.at[0] : undefined;
  const count = chosen?.length ?? (by === undefined ? outer.count : countOf(by));
  const pick = (p: number): number => chosen?.[p] ?? (by === undefined ? p : positionAt(by, p));
  const at = outer.at.map((list) => Float64Array.from({ length: count }, (_, p) => list[pick(p)] ?? 0));
  const dropped = outer.dropped || (by?.dropped ?? false) || (inner.kind === 'points' && inner.dropped);
  return { kind: 'points', at, count, dropped };
}
