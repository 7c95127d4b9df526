/** Coordinates that operations created. */
import { defined } from '../../wire/guards.js';
import {
  type Block,
  blockSlice,
  type DimSelection,
  type LabelWrap,
  type LazySlice,
  type MadeDim,
  type ResolvedDim,
  type ResolvedSelection,
  sizeOf,
  takeElements,
} from '../zarr/index.js';
import { decodeSlice } from './decoded-slice.js';
import { MadeLabels } from './grouping/made-labels.js';
import { countAlong, positionAlong } from './positions.js';
import { wrappedBlock } from './labels/wrapped-slice.js';
import type { SliceCoordinate, SliceDims, UndecodedLabels } from './slice-coordinate.js';
import { axesOfSlice, plainLabels } from './dataset-coordinates.js';

export function madeCoordinates(slice: SliceDims): SliceCoordinate[] {
  return (slice.origin.made ?? []).flatMap((made, axis) =>
    made === undefined ? [] : madeAlong(slice, axis, made),
  );
}

/** The coordinates of a dimension that an operation created. */
export function madeAlong(slice: SliceDims, axis: number, made: MadeDim): SliceCoordinate[] {
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
