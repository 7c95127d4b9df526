import { defined } from '../../../wire/guards.js';
import { SelectionError } from '../../core/errors.js';
import {
  countOf,
  positionAt,
  type ResolvedDim,
  type ResolvedSelection,
  wrapOf,
  type Wrapped,
} from './selection.js';

/** @param inner selection that has been resolved against `selectedShape(outer)` */
export function composeSelections(outer: ResolvedSelection, inner: ResolvedSelection): ResolvedSelection {
  if (outer.kind === 'points') return composeOnPoints(outer, inner);
  if (inner.kind === 'points') {
    const kept = outer.dims.flatMap((dim, d) => (dim.dropped ? [] : [d]));
    const lists = outer.dims.map((dim, d) => {
      const axis = kept.indexOf(d);
      const chosen = inner.at[axis];
      if (chosen === undefined) return new Float64Array(inner.count).fill(positionAt(dim, 0));
      return positionsAt(dim, chosen);
    });
    const wraps = outer.dims.some(({ wrap }) => wrap !== undefined) ? outer.dims.map(({ wrap }) => wrap) : undefined; // prettier-ignore
    return { kind: 'points', at: lists, count: inner.count, dropped: inner.dropped, ...(wraps && { wraps }) };
  }
  const dims: ResolvedDim[] = [];
  let kept = 0;
  for (const dim of outer.dims) {
    const by = dim.dropped ? undefined : inner.dims[kept++];
    dims.push(by === undefined ? dim : { ...composeDim(dim, by), ...composedWrap(dim, by) });
  }
  return { kind: 'box', dims };
}

/**
 * An inner `wrap` replaces an outer one, because labels that are equivalent to those of the outer one are equivalent to
 * the stored labels.
 * @throws SelectionError for another period
 */
export function composedWrap(outer: Wrapped, inner: Wrapped): Wrapped {
  const [before, after] = [outer.wrap?.period, inner.wrap?.period];
  if (before !== undefined && after !== undefined && before !== after)
    throw new SelectionError(
      `the labels have been wrapped with the period ${before} before; set "wrap" to ${before} instead of ${after}`,
    );
  return after === undefined ? wrapOf(outer) : wrapOf(inner);
}

function composeDim(outer: ResolvedDim, inner: ResolvedDim): ResolvedDim {
  if (inner.kind === 'list') return { kind: 'list', at: positionsAt(outer, inner.at), dropped: false };
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
  const at = new Float64Array(inner.count);
  for (let i = 0; i < at.length; i++) at[i] = defined(outer.at[inner.start + i * inner.step]);
  return { kind: 'list', at, dropped: false };
}

/** The positions in the array of some elements of a dimension. A plain loop, because there can be millions. */
function positionsAt(dim: ResolvedDim, elements: Float64Array): Float64Array {
  const at = new Float64Array(elements.length);
  if (dim.kind === 'list') {
    for (let i = 0; i < at.length; i++) at[i] = defined(dim.at[defined(elements[i])]);
    return at;
  }
  const { start, step } = dim;
  if (start === 0 && step === 1) return elements;
  for (let i = 0; i < at.length; i++) at[i] = start + defined(elements[i]) * step;
  return at;
}

/** Composes with a selection of points, which has one dimension. The result selects points too. */
function composeOnPoints(
  outer: Extract<ResolvedSelection, { kind: 'points' }>,
  inner: ResolvedSelection,
): ResolvedSelection {
  const by: ResolvedDim | undefined = inner.kind === 'box' ? inner.dims[0] : undefined;
  const chosen = inner.kind === 'points' ? inner.at[0] : undefined;
  const count = chosen?.length ?? (by === undefined ? outer.count : countOf(by));
  const pick = (p: number): number => chosen?.[p] ?? (by === undefined ? p : positionAt(by, p));
  const at = outer.at.map((list) => {
    const picked = new Float64Array(count);
    for (let p = 0; p < count; p++) picked[p] = defined(list[pick(p)]);
    return picked;
  });
  const dropped = outer.dropped || (by?.dropped ?? false) || (inner.kind === 'points' && inner.dropped);
  return { kind: 'points', at, count, dropped, ...(outer.wraps && { wraps: outer.wraps }) };
}
