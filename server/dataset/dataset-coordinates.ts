/** Coordinates of the dataset, at the positions of the slice or averaged over its blocks. */
import { defined } from '../../wire/guards.js';
import type {
  DataType,
  DimSelection,
  LabelWrap,
  LazySlice,
  ResolvedSelection,
  Selection,
  SliceOrigin,
} from '../zarr/index.js';
import { textAttribute } from './attributes.js';
import type { VariableDecoding } from './decode/decoding.js';
import { plainDecoding } from './decode/plan-decoding.js';
import { tickDecoding, tickOfType, toTicks } from './decode/tick-decoding.js';
import { decodeSlice } from './decoded-slice.js';
import { averagedCoordinate, statesLongitude } from './grouping/mean-labels.js';
import { dimSelectionOf } from './positions.js';
import { wrappedSlice } from './labels/wrapped-slice.js';
import type { Variable } from './variable.js';
import {
  decodedLabels,
  type SliceCoordinate,
  type SliceDims,
  type UndecodedLabels,
} from './slice-coordinate.js';

/** The names of the dimensions of an origin, including those of blocks. */
export function namesOf({ dimensionNames, coarsened }: SliceOrigin): (string | null)[] {
  return dimensionNames.map((name, axis) => coarsened?.[axis]?.name ?? name);
}

/** The dimensions of the origin that match those of a variable. */
export function matchingAxes(origin: SliceOrigin, { dimensions, shape }: Variable): number[] | undefined {
  const names = namesOf(origin);
  const axes = dimensions.map((name) => names.indexOf(name));
  const fits = axes.every(
    (axis, i) =>
      axis >= 0 && names.lastIndexOf(dimensions[i] ?? null) === axis && origin.shape[axis] === shape[i],
  );
  return fits ? axes : undefined;
}

/** @param axes for each dimension of the variable, the dimension of the origin */
export function storedCoordinate(
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
export function axesOfSlice(selection: ResolvedSelection, axes: readonly number[]): number[] {
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
export function plainLabels(name: string, stored: LazySlice): UndecodedLabels {
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
