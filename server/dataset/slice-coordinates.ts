/**
 * Selects the part of a coordinate that belongs to a slice: the same positions, along shared dimensions.
 * Finds the labels along the dimensions of a slice.
 */
import {
  type DataType,
  type DimSelection,
  type LazySlice,
  type MadeDim,
  type ResolvedDim,
  type ResolvedSelection,
  runInTurns,
  type Selection,
  SelectionError,
  type SliceOrigin,
} from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import { labelled, type ReadIndex } from './cut-dataset.js';
import { plainDecoding } from './decode/plan-decoding.js';
import { LabelIndex } from './labels/label-index.js';
import { labelKeys } from './labels/label-keys.js';
import { noCoordinate } from './labels/resolve-labels.js';
import { dimSelectionOf } from './positions.js';
import { statesLongitude, averagedCoordinate } from './grouping/mean-labels.js';
import { type Variable, type Dataset, usableIndexOf } from './variable.js';

/**
 * Selects the elements of a coordinate that belong to a slice.
 * @param origin origin of a slice of the coordinate's dataset
 * @returns undefined if the coordinate does not match: it has a dimension that the origin lacks, contains
 *   twice, or has with another size
 */
export function selectionAlong(
  { dimensionNames, shape, selection }: SliceOrigin,
  coordinate: Variable,
): Selection | undefined {
  const axes = coordinate.dimensions.map((name) => dimensionNames.indexOf(name));
  const fits = axes.every(
    (axis, i) =>
      axis >= 0 &&
      dimensionNames.lastIndexOf(coordinate.dimensions[i] ?? null) === axis &&
      shape[axis] === coordinate.shape[i],
  );
  if (!fits) return undefined;
  return axes.length === 0 ? { kind: 'all' } : alongAxes(selection, axes);
}

/**
 * The values of a coordinate along a slice: at the same positions or, if the slice is coarsened, the mean
 * of each block. Means of one-dimensional longitudes are computed across the ends of the coordinate (360 to
 * 0, 180 to -180).
 * @param origin origin of a slice of the coordinate's dataset
 * @param whole the whole coordinate, decoded
 * @returns undefined if the coordinate does not match (see `selectionAlong`); for a coarsened slice, also if
 *   it has no mean or the slice selects points
 */
export function coordinateAlong(
  origin: SliceOrigin,
  coordinate: Variable,
  whole: LazySlice,
): LazySlice | undefined {
  const { coarsened } = origin;
  if (coarsened === undefined) return selectedAlong(origin, coordinate, whole);
  const named = withCoarsenedNames(origin);
  const { dimensionNames } = named;
  const selected = selectedAlong(named, coordinate, whole);
  if (selected === undefined || origin.selection.kind === 'points') return undefined;
  const { dims } = origin.selection;
  const axes = coordinate.dimensions.map((name) => dimensionNames.indexOf(name));
  const along = axes.filter((axis) => dims[axis]?.dropped === false).map((axis) => coarsened[axis]);
  if (along.every((dim) => dim === undefined)) return selected;
  return isAveraged(selected.dtype)
    ? averagedCoordinate(selected, along, isLongitude(coordinate))
    : undefined;
}

/** The origin with the names of coarsened dimensions restored. */
export function withCoarsenedNames(origin: SliceOrigin): SliceOrigin {
  const { coarsened } = origin;
  if (coarsened === undefined) return origin;
  return {
    ...origin,
    dimensionNames: origin.dimensionNames.map((name, axis) => coarsened[axis]?.name ?? name),
  };
}

/**
 * The dimensions of a slice that match the dimensions of a coordinate. Omits dimensions that the slice has
 * dropped.
 * @param coordinate coordinate that matches the slice; see `coordinateAlong`
 */
export function axesAlong(origin: SliceOrigin, coordinate: Pick<Variable, 'dimensions'>): number[] {
  const { dimensionNames, selection } = withCoarsenedNames(origin);
  if (selection.kind === 'points') return selection.dropped || coordinate.dimensions.length === 0 ? [] : [0];
  return coordinate.dimensions.flatMap((name) => {
    const axis = dimensionNames.indexOf(name);
    if (selection.dims[axis]?.dropped !== false) return [];
    return [selection.dims.slice(0, axis).filter(({ dropped }) => !dropped).length];
  });
}

function selectedAlong(origin: SliceOrigin, coordinate: Variable, whole: LazySlice): LazySlice | undefined {
  const selection = selectionAlong(origin, coordinate);
  return selection === undefined ? undefined : whole.select(selection);
}

function isAveraged({ name }: DataType): boolean {
  return /^(u?int|float)\d+$/.test(name) || name === 'numpy.datetime64' || name === 'numpy.timedelta64';
}

function isLongitude({ context: { attributes } }: Variable): boolean {
  return statesLongitude(textAttribute(attributes, 'units'), textAttribute(attributes, 'standard_name'));
}

function alongAxes(selection: ResolvedSelection, axes: readonly number[]): Selection {
  if (selection.kind === 'box') {
    const dims = axes.map((axis): DimSelection => {
      const dim = selection.dims[axis];
      return dim === undefined ? { kind: 'slice' } : dimSelectionOf(dim);
    });
    return { kind: 'dims', dims };
  }
  const pointAt = (p: number): number[] => axes.map((axis) => selection.at[axis]?.[p] ?? 0);
  if (selection.dropped) {
    const dims = pointAt(0).map((index): DimSelection => ({ kind: 'index', index }));
    return { kind: 'dims', dims };
  }
  return { kind: 'points', points: Array.from({ length: selection.count }, (_, p) => pointAt(p)) };
}

/**
 * The labels along dimension `d` of a slice's result.
 * @param dataset dataset of the slice
 * @throws SelectionError if the dimension has no matching coordinate; the error of the coordinate
 */
export async function indexAlongSlice(
  dataset: Dataset | undefined,
  { origin, dims }: Pick<LazySlice, 'origin' | 'dims'>,
  d: number,
  readIndex: ReadIndex,
): Promise<LabelIndex> {
  const name = dims[d]?.name ?? null;
  const along = keptDims(origin.selection)[d];
  const made = along === undefined ? undefined : origin.made?.[along.axis];
  if (made?.points !== undefined) throw noCoordinate(name, []);
  if (made !== undefined && along !== undefined) return runInTurns(indexOfMade(made, along.dim));
  const isKnown = dataset !== undefined && name !== null && origin.dimensionNames[along?.axis ?? -1] === name;
  const coordinate = isKnown ? usableIndexOf(dataset, name) : undefined;
  if (coordinate === undefined || along === undefined)
    throw noCoordinate(name, dataset === undefined ? [] : labelledAmong(dataset, dims));
  const index = await readIndex(coordinate);
  const size = origin.shape[along.axis];
  if (index.size !== size)
    throw new SelectionError(
      `the coordinate "${name}" has ${index.size} labels, but this slice has ${size} elements along its dimension; select by position`,
    );
  const { dim } = along;
  const isWhole = dim.kind === 'range' && dim.step === 1 && dim.count === size;
  return isWhole ? index : runInTurns(index.along(dim));
}

function* indexOfMade(
  { labels: { name, values }, chosen }: MadeDim,
  dim: ResolvedDim,
): Generator<void, LabelIndex, void> {
  const index = yield* LabelIndex.create(name, yield* labelKeys(values, plainDecoding(name, values)));
  const picked =
    chosen === undefined ? index : yield* index.along({ kind: 'list', at: chosen, dropped: false });
  return yield* picked.along(dim);
}

/** The dimensions that a box selection keeps, in order. */
export function keptDims(
  selection: ResolvedSelection,
): { readonly axis: number; readonly dim: ResolvedDim }[] {
  if (selection.kind === 'points') return [];
  return selection.dims.flatMap((dim, axis) => (dim.dropped ? [] : [{ axis, dim }]));
}

function labelledAmong(dataset: Dataset, dims: LazySlice['dims']): string[] {
  return labelled(dataset).filter((dimension) => dims.some(({ name }) => name === dimension));
}
