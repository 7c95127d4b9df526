/**
 * The coordinates of a slice, whatever operations it results from: the one place that decides which labels a
 * dimension has, and their kind, calendar, units and meaning. Labels, groups, interpolation, lines, pictures,
 * tiles, weights, polygons and files all read coordinates from here.
 */
import { type ResolvedDim, type ResolvedSelection, SelectionError } from '../zarr/index.js';
import {
  coordinatesAlong,
  type Dataset,
  indexOf,
  labelled,
  usableIndexOf,
  type Variable,
} from './variable.js';
import type { SliceCoordinate, SliceDims } from './slice-coordinate.js';
import { matchingAxes, namesOf, storedCoordinate } from './dataset-coordinates.js';
import { madeAlong, madeCoordinates } from './created-coordinates.js';

/** All coordinates of a slice: those that operations created, then indexes in the order of dimensions, then others. */
export function coordinatesOfSlice(slice: SliceDims, dataset: Dataset | undefined): SliceCoordinate[] {
  const created = madeCoordinates(slice);
  if (dataset === undefined) return created;
  const names = namesOf(slice.origin).flatMap((name) => name ?? []);
  const indexes = names.flatMap((name) => indexOf(dataset, name) ?? []);
  const variables = new Set([...indexes, ...coordinatesAlong(dataset, names)]);
  return [...created, ...[...variables].flatMap((variable) => variableAlong(slice, variable) ?? [])];
}

/** Opens the dataset of a slice; undefined if it has none. */
export type OpenDataset = () => Promise<Dataset | undefined>;

/**
 * The coordinate in which labels along dimension `d` of a slice are looked up.
 * @param open called only if the dimension may have a coordinate in the dataset
 * @returns undefined if the dimension has none
 * @throws SelectionError for a coordinate of another size; the error of a coordinate that is not a variable;
 *   errors from `open`
 */
export async function indexAlong(
  slice: SliceDims,
  d: number,
  open: OpenDataset,
): Promise<SliceCoordinate | undefined> {
  const axis = keptDims(slice.origin.selection)[d]?.axis;
  if (axis === undefined) return undefined;
  const made = slice.origin.made?.[axis];
  if (made !== undefined) return madeAlong(slice, axis, made).find(({ isIndex }) => isIndex);
  const name = namesOf(slice.origin)[axis] ?? null;
  const dataset = name === null ? undefined : await open();
  const variable = dataset === undefined || name === null ? undefined : usableIndexOf(dataset, name);
  return variable === undefined ? undefined : alongDimension(slice, d, variable);
}

/**
 * A coordinate of one dimension, along dimension `d` of a slice.
 * @throws SelectionError if the variable has other dimensions, or another size
 */
export function alongDimension(slice: SliceDims, d: number, variable: Variable): SliceCoordinate | undefined {
  const axis = keptDims(slice.origin.selection)[d]?.axis;
  if (axis === undefined) return undefined;
  const name = namesOf(slice.origin)[axis] ?? null;
  if (variable.dimensions.length !== 1 || variable.dimensions[0] !== name)
    throw new SelectionError(
      `the coordinate "${variable.name}" has the dimensions (${variable.dimensions.join(', ')}); expected only "${name}"`,
    );
  if (variable.shape[0] !== slice.origin.shape[axis])
    throw new SelectionError(
      `the coordinate "${variable.name}" has ${variable.shape[0]} labels, but this slice has ${slice.origin.shape[axis]} elements along its dimension; select by position`,
    );
  return storedCoordinate(slice, variable, [axis]);
}

/** The coordinate of dimension `d` with this name, if an operation created it. */
export function madeAlongDimension(slice: SliceDims, d: number, name: string): SliceCoordinate | undefined {
  const axis = keptDims(slice.origin.selection)[d]?.axis;
  const made = axis === undefined ? undefined : slice.origin.made?.[axis];
  if (axis === undefined || made === undefined) return undefined;
  return madeAlong(slice, axis, made).find((coordinate) => coordinate.name === name);
}

/**
 * A variable of the slice's dataset as a coordinate of the slice.
 * @returns undefined if it does not match: it has a dimension that the slice lacks, contains twice, or has with
 *   another size; or labels of blocks are requested that have no mean
 */
export function variableAlong(slice: SliceDims, variable: Variable): SliceCoordinate | undefined {
  const axes = matchingAxes(slice.origin, variable);
  return axes === undefined ? undefined : storedCoordinate(slice, variable, axes);
}

/** The dimensions of a slice's dataset that have an index, among those of the slice. */
export function labelledDims(slice: SliceDims, dataset: Dataset | undefined): string[] {
  const stored = dataset === undefined ? [] : labelled(dataset);
  const made = madeCoordinates(slice).flatMap(({ isIndex, dimensions }) => (isIndex ? dimensions : []));
  return slice.dims.flatMap(({ name }) =>
    name !== null && (stored.includes(name) || made.includes(name)) ? [name] : [],
  );
}

/** The dimensions that a box selection keeps, in order. */
export function keptDims(selection: ResolvedSelection): { readonly axis: number; readonly dim: ResolvedDim }[] {
  if (selection.kind === 'points') return [];
  return selection.dims.flatMap((dim, axis) => (dim.dropped ? [] : [{ axis, dim }]));
} // prettier-ignore
