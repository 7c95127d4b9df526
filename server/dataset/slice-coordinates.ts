/**
 * The coordinates of a slice, whatever operations it results from: the one place that decides which labels a
 * dimension has, and their kind, calendar, units and meaning. Labels, groups, interpolation, lines, pictures,
 * tiles, weights, polygons and files all read coordinates from here.
 */
import { defined } from '../../wire/guards.js';
import {
  type Block,
  blockSlice,
  type DataType,
  type DimSelection,
  type JsonObject,
  type LabelWrap,
  type LazySlice,
  type MadeDim,
  type ResolvedDim,
  type ResolvedSelection,
  type Selection,
  SelectionError,
  type SliceOrigin,
  sizeOf,
  takeElements,
} from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import type { CoordinateReader } from './coordinate-reader.js';
import type { VariableDecoding } from './decode/decoding.js';
import { plainDecoding } from './decode/plan-decoding.js';
import { tickDecoding, tickOfType, toTicks } from './decode/tick-decoding.js';
import { decodeSlice } from './decoded-slice.js';
import { MadeLabels } from './grouping/made-labels.js';
import { averagedCoordinate, statesLongitude } from './grouping/mean-labels.js';
import { countAlong, dimSelectionOf, positionAlong } from './positions.js';
import { wrappedBlock, wrappedSlice } from './labels/wrapped-slice.js';
import {
  type Dataset,
  coordinatesAlong,
  indexOf,
  labelled,
  usableIndexOf,
  type Variable,
} from './variable.js';

/** The properties of a slice that determine its coordinates. */
export type SliceDims = Pick<LazySlice, 'origin' | 'dims' | 'where'>;

/** Labels before decoding: as stored, as ticks of their calendar, or computed numbers. */
export interface UndecodedLabels {
  readonly stored: LazySlice;
  readonly decoding: VariableDecoding;
}

export interface SliceCoordinate {
  readonly name: string;
  /** For each dimension of the coordinate, the position of the dimension in the slice. Empty for a single label. */
  readonly axes: readonly number[];
  /** The names of these dimensions. */
  readonly dimensions: readonly (string | null)[];
  /** The sizes of these dimensions. */
  readonly shape: readonly number[];
  /** Whether labels along its dimension are looked up in it. */
  readonly isIndex: boolean;
  readonly units: string | undefined;
  /** Set for dates. */
  readonly calendar: string | undefined;
  /** The attributes for users, without those that decoding consumed. */
  readonly attributes: JsonObject;
  /** The attributes that describe the meaning of the labels, such as units and `positive`. */
  readonly meaning: JsonObject;
  /** The variable from which the labels are computed; undefined for a coordinate that an operation created. */
  readonly variable: Variable | undefined;
  /** Set if each label belongs to one element of `variable`, at these positions along one dimension. */
  readonly along: ResolvedDim | undefined;
  /** The same, if the labels equal these elements: unless a selection with `wrap` moved them. */
  readonly positions: ResolvedDim | undefined;
  /** The bounds of labels that an operation created: two for each label. */
  readonly bounds: LazySlice | undefined;
  /**
   * The labels by metadata alone: their type may differ from that of `labels`.
   * @throws errors from `Variable.decoding`
   */
  planned(): UndecodedLabels | undefined;
  /**
   * Reads at most what determines the decoding. Undefined for blocks of labels without a mean, such as text.
   * @throws errors from `CoordinateReader.decoding`
   */
  labels(reader: Pick<CoordinateReader, 'decoding'>): Promise<UndecodedLabels | undefined>;
}

/** The labels after decoding. */
export function decodedLabels({ stored, decoding }: UndecodedLabels): LazySlice {
  return decodeSlice(stored, decoding);
}

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

// Coordinates of the dataset, at the positions of the slice or averaged over its blocks.

/** The names of the dimensions of an origin, including those of blocks. */
function namesOf({ dimensionNames, coarsened }: SliceOrigin): (string | null)[] {
  return dimensionNames.map((name, axis) => coarsened?.[axis]?.name ?? name);
}

/** The dimensions of the origin that match those of a variable. */
function matchingAxes(origin: SliceOrigin, { dimensions, shape }: Variable): number[] | undefined {
  const names = namesOf(origin);
  const axes = dimensions.map((name) => names.indexOf(name));
  const fits = axes.every(
    (axis, i) =>
      axis >= 0 && names.lastIndexOf(dimensions[i] ?? null) === axis && origin.shape[axis] === shape[i],
  );
  return fits ? axes : undefined;
}

/** @param axes for each dimension of the variable, the dimension of the origin */
function storedCoordinate(
  slice: SliceDims,
  variable: Variable,
  axes: readonly number[],
): SliceCoordinate | undefined {
  const { origin } = slice;
  const { selection } = origin;
  const blocks = axes.map((axis) => origin.coarsened?.[axis]);
  const hasBlocks = blocks.some((dim) => dim !== undefined);
  if (hasBlocks && selection.kind === 'points') return undefined;
  const positions = positionsAlong(origin, axes);
  const [only, ...others] = axes;
  const wrap = variable.isIndex ? wrapAlong(origin, only ?? -1) : undefined;
  const meaning = variable.context.attributes;
  const labelsBy = (decoding: VariableDecoding): UndecodedLabels | undefined => {
    const stored = selectLabels(variable, decoding, positions);
    const selected =
      wrap === undefined ? stored : plainLabels(variable.name, wrappedSlice(decodedLabels(stored), wrap));
    if (!hasBlocks) return selected;
    const along = blocks.filter((block, i) => block !== undefined || isKept(selection, axes[i] ?? -1));
    return meanLabels(variable, selected, along);
  };
  const sliceAxes = axesOfSlice(selection, axes);
  const planned = (): UndecodedLabels | undefined => labelsBy(variable.decoding());
  const single = selection.kind === 'box' && others.length === 0 ? selection.dims[only ?? -1] : undefined;
  return {
    name: variable.name,
    axes: sliceAxes,
    dimensions: sliceAxes.map((axis) => slice.dims[axis]?.name ?? null),
    shape: sliceAxes.flatMap((axis) => slice.dims[axis]?.size ?? []),
    isIndex: variable.isIndex,
    units: textAttribute(meaning, 'units'),
    get calendar() {
      return variable.calendar;
    },
    get attributes() {
      return variable.attributes;
    },
    meaning,
    variable,
    along: hasBlocks ? undefined : single,
    positions: hasBlocks || wrap !== undefined ? undefined : single,
    bounds: undefined,
    planned,
    labels: async (reader) => labelsBy(await reader.decoding(variable)),
  };
}

function wrapAlong({ selection, coarsened }: SliceOrigin, axis: number): LabelWrap | undefined {
  if (selection.kind === 'points') return selection.wraps?.[axis];
  return (coarsened?.[axis]?.combined ?? selection.dims[axis])?.wrap;
}

function isKept(selection: ResolvedSelection, axis: number): boolean {
  return selection.kind === 'points' || selection.dims[axis]?.dropped === false;
}

/** The positions of the dimensions of an origin in its slice. */
function axesOfSlice(selection: ResolvedSelection, axes: readonly number[]): number[] {
  if (selection.kind === 'points') return selection.dropped || axes.length === 0 ? [] : [0];
  return axes.flatMap((axis) =>
    isKept(selection, axis) ? [selection.dims.slice(0, axis).filter(({ dropped }) => !dropped).length] : [],
  );
}

/** The selected positions along some dimensions of an origin; those of all blocks, if they were combined. */
function positionsAlong({ selection, coarsened }: SliceOrigin, axes: readonly number[]): Selection {
  if (axes.length === 0) return { kind: 'all' };
  if (selection.kind === 'box') {
    const dims = axes.map((axis): DimSelection => {
      const dim = coarsened?.[axis]?.combined ?? selection.dims[axis];
      return dim === undefined ? { kind: 'slice' } : dimSelectionOf(dim);
    });
    return { kind: 'dims', dims };
  }
  const pointAt = (p: number): number[] => axes.map((axis) => defined(selection.at[axis]?.[p]));
  if (selection.dropped) {
    const dims = pointAt(0).map((index): DimSelection => ({ kind: 'index', index }));
    return { kind: 'dims', dims };
  }
  return { kind: 'points', points: Array.from({ length: selection.count }, (_, p) => pointAt(p)) };
}

function selectLabels(variable: Variable, decoding: VariableDecoding, positions: Selection): UndecodedLabels {
  if (decoding.joinedCharacters === undefined) return { stored: variable.stored.select(positions), decoding };
  const texts = decodeSlice(variable.stored, decoding).select(positions);
  return plainLabels(variable.name, texts);
}

/** Labels that are decoded already. */
function plainLabels(name: string, stored: LazySlice): UndecodedLabels {
  return { stored, decoding: plainDecoding(name, stored) };
}

/** The means of blocks of labels. @returns undefined for labels without a mean */
function meanLabels(
  { name, isIndex, context: { attributes } }: Variable,
  { stored, decoding }: UndecodedLabels,
  along: Parameters<typeof averagedCoordinate>[1],
): UndecodedLabels | undefined {
  const { times, dtype } = decoding;
  if (times !== undefined && dtype.name === 'string') {
    const means = averagedCoordinate(decodeSlice(stored, toTicks(decoding, times)), along, false);
    return { stored: means, decoding: tickDecoding(name, times, times.tick, dtype) };
  }
  if (!isAveraged(dtype)) return undefined;
  const isLongitude = statesLongitude(
    textAttribute(attributes, 'units'),
    textAttribute(attributes, 'standard_name'),
  );
  const means = averagedCoordinate(decodeSlice(stored, decoding), along, isLongitude, isIndex);
  const tick = times === undefined ? undefined : tickOfType(dtype);
  if (times === undefined || tick === undefined) return plainLabels(name, means);
  return { stored: means, decoding: tickDecoding(name, times, tick, dtype) };
}

function isAveraged({ name }: DataType): boolean {
  return /^(u?int|float)\d+$/.test(name) || name === 'numpy.datetime64' || name === 'numpy.timedelta64';
}

// Coordinates that operations created.

function madeCoordinates(slice: SliceDims): SliceCoordinate[] {
  return (slice.origin.made ?? []).flatMap((made, axis) =>
    made === undefined ? [] : madeAlong(slice, axis, made),
  );
}

/** The coordinates of a dimension that an operation created. */
function madeAlong(slice: SliceDims, axis: number, made: MadeDim): SliceCoordinate[] {
  const dim = dimAt(slice.origin.selection, axis);
  if (dim === undefined) return [];
  const { labels: first, points } = made;
  return [first, ...(points?.beside ?? [])].flatMap((labels) =>
    labels instanceof MadeLabels
      ? [madeCoordinate(slice, axis, made, dim, labels, labels === first && points === undefined)]
      : [],
  );
}

function madeCoordinate(
  slice: SliceDims,
  axis: number,
  { chosen }: MadeDim,
  dim: ResolvedDim,
  { name, stored, decoding, bounds, units, attributes }: MadeLabels,
  isIndex: boolean,
): SliceCoordinate {
  const axes = axesOfSlice(slice.origin.selection, [axis]);
  const { wrap } = isIndex ? dim : {};
  const rowsOf = (block: Block): LazySlice => rowsAt(blockSlice(block, slice.where), dim, chosen);
  /** Decoded rows, moved like their labels. */
  const movedBy = (by: LabelWrap, block: Block): LazySlice => {
    const rows = decoding.decode(takeRows(block, dim, chosen));
    const labels = decoding.decode(takeRows(stored, dim, chosen));
    return blockSlice(wrappedBlock(rows, by, labels), slice.where);
  };
  let known: UndecodedLabels | undefined;
  const planned = (): UndecodedLabels =>
    (known ??=
      wrap === undefined ? { stored: rowsOf(stored), decoding } : plainLabels(name, movedBy(wrap, stored)));
  return {
    name,
    axes,
    dimensions: axes.map((d) => slice.dims[d]?.name ?? null),
    shape: axes.flatMap((d) => slice.dims[d]?.size ?? []),
    isIndex,
    units,
    calendar: decoding.calendar,
    attributes,
    meaning: units === undefined ? attributes : { ...attributes, units },
    variable: undefined,
    along: undefined,
    positions: undefined,
    get bounds() {
      if (bounds === undefined) return undefined;
      return wrap === undefined ? decodeSlice(rowsOf(bounds), decoding) : movedBy(wrap, bounds);
    },
    planned,
    labels: async () => planned(),
  };
}

function dimAt(selection: ResolvedSelection, axis: number): ResolvedDim | undefined {
  if (selection.kind === 'box') return selection.dims[axis];
  const at = selection.at[axis];
  if (at === undefined) return undefined;
  return selection.dropped
    ? { kind: 'range', start: defined(at[0]), step: 1, count: 1, dropped: true }
    : { kind: 'list', at, dropped: false };
}

/** Selects rows along the first dimension, the dimension of the labels. Reads nothing. */
function rowsAt(labels: LazySlice, dim: ResolvedDim, chosen: Float64Array | undefined): LazySlice {
  const count = countAlong(dim);
  const isAll = dim.kind === 'range' && dim.step === 1 && !dim.dropped && count === labels.shape[0];
  if (isAll && chosen === undefined) return labels;
  const positions = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const position = positionAlong(dim, i);
    positions[i] = chosen?.[position] ?? position;
  }
  const by: DimSelection = dim.dropped
    ? { kind: 'index', index: defined(positions[0]) }
    : { kind: 'indices', indices: positions };
  return labels.select({ kind: 'dims', dims: [by, { kind: 'ellipsis' }] });
}

/** Like `rowsAt`, with the values. */
function takeRows(block: Block, dim: ResolvedDim, chosen: Float64Array | undefined): Block {
  const inner = block.shape.slice(1);
  const size = sizeOf(inner);
  const count = countAlong(dim);
  const positions = Float64Array.from({ length: count * size }, (_, i) => {
    const position = positionAlong(dim, Math.floor(i / size));
    return (chosen?.[position] ?? position) * size + (i % size);
  });
  return takeElements(block, positions, dim.dropped ? inner : [count, ...inner]);
}
