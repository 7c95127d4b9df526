/** Which part of a coordinate goes with a part of an array: the same positions, along the dimensions that both have. */
import {
  type ArraySlice,
  type DimSelection,
  type LazySlice,
  type ResolvedDim,
  type ResolvedSelection,
  type Selection,
  SelectionError,
} from '../zarr/index.js';
import { labelled, type ReadIndex } from './cut-dataset.js';
import { type Dataset, usableIndexOf } from './dataset.js';
import type { LabelIndex } from './labels/label-index.js';
import { noCoordinate } from './labels/resolve-labels.js';
import { dimSelectionOf } from './positions.js';
import type { Variable } from './variable.js';

/**
 * @param slice of an array of the coordinate's dataset
 * @param dimensions the names of that array's dimensions, as stored
 * @returns undefined where the coordinate does not fit: a dimension that the array has not, or twice, or of another size
 */
export function selectionAlong(
  { array, selection }: ArraySlice,
  dimensions: readonly (string | null)[],
  coordinate: Variable,
): Selection | undefined {
  const places = coordinate.dimensions.map((name) => dimensions.indexOf(name));
  const fits = places.every(
    (place, i) =>
      place >= 0 &&
      dimensions.lastIndexOf(coordinate.dimensions[i] ?? null) === place &&
      array.meta.shape[place] === coordinate.shape[i],
  );
  if (!fits) return undefined;
  return places.length === 0 ? { kind: 'all' } : alongPlaces(selection, places);
}

function alongPlaces(selection: ResolvedSelection, places: readonly number[]): Selection {
  if (selection.kind === 'box') {
    const dims = places.map((place): DimSelection => {
      const dim = selection.dims[place];
      return dim === undefined ? { kind: 'slice' } : dimSelectionOf(dim);
    });
    return { kind: 'dims', dims };
  }
  const pointAt = (p: number): number[] => places.map((place) => selection.at[place]?.[p] ?? 0);
  if (selection.dropped) {
    const dims = pointAt(0).map((index): DimSelection => ({ kind: 'index', index }));
    return { kind: 'dims', dims };
  }
  return { kind: 'points', points: Array.from({ length: selection.count }, (_, p) => pointAt(p)) };
}

/**
 * The labels along dimension `d` of a slice's result.
 * @param dataset that of the array's group
 * @throws SelectionError where the dimension has no coordinate that fits; what is wrong with it
 */
export async function indexAlongSlice(
  dataset: Dataset | undefined,
  { stored, dims }: LazySlice,
  d: number,
  readIndex: ReadIndex,
): Promise<LabelIndex> {
  const name = dims[d]?.name ?? null;
  const along = keptDims(stored.selection)[d];
  const coordinate = dataset === undefined || name === null ? undefined : usableIndexOf(dataset, name);
  if (coordinate === undefined || along === undefined)
    throw noCoordinate(name, dataset === undefined ? [] : labelledAmong(dataset, dims));
  const index = await readIndex(coordinate);
  const size = stored.array.meta.shape[along.place];
  if (index.size !== size)
    throw new SelectionError(
      `the coordinate "${name}" has ${index.size} labels, but this array has ${size} elements along it; select by position`,
    );
  const { dim } = along;
  const isWhole = dim.kind === 'range' && dim.step === 1 && dim.count === size;
  return isWhole ? index : index.along(dim);
}

/** The array's dimensions that a box keeps, in order. */
function keptDims(selection: ResolvedSelection): { readonly place: number; readonly dim: ResolvedDim }[] {
  if (selection.kind === 'points') return [];
  return selection.dims.flatMap((dim, place) => (dim.dropped ? [] : [{ place, dim }]));
}

function labelledAmong(dataset: Dataset, dims: LazySlice['dims']): string[] {
  return labelled(dataset).filter((dimension) => dims.some(({ name }) => name === dimension));
}
