/**
 * Parts of slices whose values along one axis depend on values at other positions. Selections of the other axes are
 * passed to the source; selections along the axis are only recorded. Pure.
 */
import { defined } from '../../wire/guards.js';
import { wholeDim } from './mapped-origin.js';
import type { LazySlice } from './lazy-slice.js';
import { type DimSelection, dimSelectionOf, type ResolvedDim } from '../format/selection/selection.js';
import { composeSelections } from '../format/selection/compose.js';

export interface AxisView {
  readonly source: LazySlice;
  /** Index of the axis among the dimensions of the source. The source contains all positions along it. */
  readonly axis: number;
  /** The positions of the result. */
  readonly chosen: ResolvedDim;
}

export function wholeView(source: LazySlice, axis: number): AxisView {
  return { source, axis, chosen: wholeDim(defined(source.shape[axis])) };
}

/** The values of the source at the positions of the result. */
export function chosenPart({ source, axis, chosen }: AxisView): LazySlice {
  return source.select({ kind: 'dims', dims: alongAxis(axis, dimSelectionOf(chosen)) });
}

export function alongAxis(axis: number, by: DimSelection): (DimSelection | { readonly kind: 'ellipsis' })[] {
  return [...Array.from({ length: axis }, () => ({ kind: 'slice' }) as const), by, { kind: 'ellipsis' }];
}

/** @param dims a selection of the result, one entry per dimension */
export function selectView({ source, axis, chosen }: AxisView, dims: readonly ResolvedDim[]): AxisView {
  const left = [...dims];
  let newAxis = axis;
  let along = chosen;
  const onSource = source.shape.map((_, d): DimSelection => {
    if (d === axis) {
      const inner = chosen.dropped ? undefined : left.shift();
      if (inner !== undefined) along = composed(chosen, inner);
      return { kind: 'slice' };
    }
    const dim = left.shift();
    if (dim === undefined) return { kind: 'slice' };
    if (dim.dropped && d < axis) newAxis--;
    return dimSelectionOf(dim);
  });
  return { source: source.select({ kind: 'dims', dims: onSource }), axis: newAxis, chosen: along };
}

function composed(outer: ResolvedDim, inner: ResolvedDim): ResolvedDim {
  const both = composeSelections({ kind: 'box', dims: [outer] }, { kind: 'box', dims: [inner] });
  const dim = both.kind === 'box' ? both.dims[0] : undefined;
  if (dim === undefined) throw new TypeError('composing selections of one dimension returned no dimension');
  return dim;
}
