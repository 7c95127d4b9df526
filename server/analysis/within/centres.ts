/** The latitudes or longitudes of the cells of a slice. */
import {
  ConflictError,
  type DimSelection,
  dimSelectionOf,
  type LazySlice,
  type ResolvedDim,
  type ResolvedSelection,
  type SliceFoldOptions,
  toTypedArray,
} from '../../zarr/index.js';

/** A coordinate along a slice. */
export interface Centres {
  /** One number, or one per position along a dimension of the slice. */
  readonly source: LazySlice;
  readonly values: Float64Array;
  /** The dimension; undefined if the value is the same for all cells. */
  readonly axis: number | undefined;
}

/** Verifies that the coordinates have not changed since the mask was computed. */
export async function assertSame(
  { source, values }: Centres,
  { signal, limits, onVersion }: SliceFoldOptions,
): Promise<void> {
  const block = await source.read({ signal, limits, onVersion });
  const read = toTypedArray(block);
  const isSame =
    read.length === values.length && values.every((value, i) => Object.is(value, Number(read[i])));
  if (!isSame)
    throw new ConflictError('the coordinates changed while they were being read; try again', {
      where: source.where,
    });
}

export function selectCentres({ source, values, axis }: Centres, selection: ResolvedSelection): Centres {
  if (axis === undefined) return { source, values, axis };
  if (selection.kind === 'points') {
    const positions = selection.at[axis] ?? new Float64Array(0);
    const indices = Array.from(positions);
    const [first = 0] = indices;
    const by: DimSelection = selection.dropped
      ? { kind: 'index', index: first }
      : { kind: 'indices', indices };
    return {
      source: source.select({ kind: 'dims', dims: [by] }),
      values: Float64Array.from(positions, (position) => values[position] ?? NaN),
      axis: selection.dropped ? undefined : 0,
    };
  }
  const dim = selection.dims[axis];
  if (dim === undefined) return { source, values, axis };
  return {
    source: source.select({ kind: 'dims', dims: [dimSelectionOf(dim)] }),
    values: valuesAt(values, dim),
    axis: dim.dropped ? undefined : selection.dims.slice(0, axis).filter(({ dropped }) => !dropped).length,
  };
}

function valuesAt(values: Float64Array, dim: ResolvedDim): Float64Array {
  if (dim.kind === 'list') return dim.at.map((position) => values[position] ?? NaN);
  return Float64Array.from({ length: dim.count }, (_, i) => values[dim.start + i * dim.step] ?? NaN);
}
