/** The latitudes or longitudes of the cells of a slice. */
import {
  type Block,
  ConflictError,
  type DimSelection,
  dimSelectionOf,
  floatPieces,
  type LazySlice,
  type ResolvedDim,
  type ResolvedSelection,
  inTurns,
  sizeOf,
  type SliceFoldOptions,
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
  if (!(await inTurns(hasValues(block, values))))
    throw new ConflictError('the coordinates changed while they were being read; try again', {
      where: source.where,
    });
}

/** The numbers of a block of real numbers. Yields between pieces of work. */
export function* float64s(block: Block): Generator<void, Float64Array, void> {
  const numbers = new Float64Array(sizeOf(block.shape));
  for (const { values, start, count } of floatPieces(block)) {
    numbers.set(values.subarray(0, count), start);
    yield;
  }
  return numbers;
}

function* hasValues(block: Block, expected: Float64Array): Generator<void, boolean, void> {
  if (sizeOf(block.shape) !== expected.length) return false;
  for (const { values, start, count } of floatPieces(block)) {
    for (let i = 0; i < count; i++) if (!Object.is(values[i], expected[start + i])) return false;
    yield;
  }
  return true;
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
  if (dim.step === 1) return values.subarray(dim.start, dim.start + dim.count);
  const taken = new Float64Array(dim.count);
  for (let i = 0; i < taken.length; i++) taken[i] = values[dim.start + i * dim.step] ?? NaN;
  return taken;
}
