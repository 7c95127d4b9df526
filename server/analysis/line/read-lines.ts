/** Reads lines: the bins along the coordinate, the points of each bin, and the labels of the points. */
import { defined } from '../../../wire/guards.js';
import {
  costBeside,
  type Block,
  type Pause,
  createPause,
  inTurns,
  type DataType,
  foldCost,
  type LazySlice,
  type LineMethod,
  type LinePoints,
  lineType,
  OneState,
  type PlanCost,
  type Selection,
  type SliceFoldOptions,
} from '../../zarr/index.js';
import type { LabelRange, LineAxis } from './line-axis.js';
import { labelsBlock, pointPositions, valuesBlock } from './line-blocks.js';
import { lineFold, readPoints } from './read-points.js';
import { repeatedLabels, wholeValues } from './unreduced-points.js';

/** Parameters of a line and the slice that it is read from. */
export interface LinePlan {
  readonly slice: LazySlice;
  /** Position of the dimension of the x-axis. */
  readonly along: number;
  readonly axis: LineAxis;
  readonly range: LabelRange;
  readonly width: number;
  readonly method: LineMethod;
  /** Data types of values and labels. */
  readonly dtype: DataType;
  readonly labelType: DataType;
}

/** A line with at most this many points per bin on average is returned unreduced. */
const WHOLE_POINTS = 4;

/** Labels and values of the same shape: [points], or [lines, points] for a slice of two dimensions. */
export interface LineValues {
  readonly x: Block;
  readonly y: Block;
}

/** Upper bound of the cost. */
export function lineCost({ slice, along, axis, width, method, dtype, labelType }: LinePlan): PlanCost {
  const size = defined(slice.shape[along]);
  const lines = slice.shape.length === 1 ? 1 : defined(slice.shape[1 - along]);
  // Four points per bin, each possibly preceded by a gap, and one point outside each end.
  const points = Math.min(size, 2 * WHOLE_POINTS * width + 4);
  const itemBytes = (dtype.itemSize ?? TEXT_BYTES) + (labelType.itemSize ?? TEXT_BYTES);
  const bins = new Float64Array(Math.min(size, width + 2) + 1);
  for (let k = 0; k < bins.length; k++) bins[k] = k;
  // Brackets are part of the output: the shape (10^9, 0) has no points, but a billion lists of labels and of values.
  const outputBytes = lines * Math.max(2, points * itemBytes);
  const own = foldCost(slice, lineFold(slice, along, bins, method), outputBytes);
  const { cost } = axis;
  return cost === undefined ? own : costBeside(own, cost, 0);
}

/** Approximate size of a date as text, in bytes. */
const TEXT_BYTES = 40;

/** @throws ConflictError if an object changed between two reads */
export async function readLines(plan: LinePlan, options: SliceFoldOptions): Promise<LineValues> {
  const state = new OneState(plan.slice, options);
  const values = await readBins(plan, { ...options, onVersion: state.onVersion });
  state.assertUnchanged();
  return values;
}

async function readBins(plan: LinePlan, options: SliceFoldOptions): Promise<LineValues> {
  const { slice, along, axis, range, width, method } = plan;
  const size = defined(slice.shape[along]);
  const starts = await axis.binStarts(range, width, options);
  const [first = 0, end = 0] = [starts[0], starts[width]];
  // Includes the nearest point outside each end.
  const [from, to] = [Math.max(0, first - 1), Math.min(size, end + 1)];
  const part = slice.select(rowsOf(along, from, to));
  const pause = createPause(options.signal);
  if (end - first <= WHOLE_POINTS * width) return readWhole(plan, part, from, options, pause);
  const edges = await inTurns(edgesOf(starts, from, to), options.signal);
  const points = await readPoints(part, along, edges, method, options, pause);
  return linesOf(plan, points, from, options, pause);
}

/** Number of positions processed between two yields. */
const STEP = 2 ** 13;

/** Both ends and the ascending starts between them, without duplicates, as positions after `from`. */
function* edgesOf(starts: Float64Array, from: number, to: number): Generator<void, Float64Array, void> {
  const edges = new Float64Array(starts.length + 2);
  let count = 1;
  for (let k = 0; k <= starts.length; k++) {
    const edge = (starts[k] ?? to) - from;
    if (edge !== edges[count - 1]) edges[count++] = edge;
    if (k % STEP === STEP - 1) yield;
  }
  return edges.subarray(0, count);
}

/** Yields every few thousand positions. */
function* movedBy(
  positions: Float64Array,
  distance: number,
): Generator<void, Float64Array<ArrayBuffer>, void> {
  const moved = new Float64Array(positions.length);
  for (let i = 0; i < moved.length; i++) {
    moved[i] = defined(positions[i]) + distance;
    if (i % STEP === STEP - 1) yield;
  }
  return moved;
}

function rowsOf(along: number, start: number, stop: number): Selection {
  const before = Array.from({ length: along }, () => ({ kind: 'slice' as const }));
  return { kind: 'dims', dims: [...before, { kind: 'slice', start, stop }] };
}

async function readWhole(
  { along, axis, dtype, labelType }: LinePlan,
  part: LazySlice,
  from: number,
  options: SliceFoldOptions,
  pause: Pause,
): Promise<LineValues> {
  const values = await part.read(options);
  const length = defined(part.shape[along]);
  const positions = Float64Array.from({ length }, (_, i) => from + i);
  const labels = await axis.labelsAt(positions, options);
  const lines = part.shape.length === 1 ? undefined : defined(part.shape[1 - along]);
  return {
    x: await repeatedLabels(labels, labelType, lines, pause),
    y: await wholeValues(values, along, dtype, pause),
  };
}

async function linesOf(
  { slice, axis, method, dtype, labelType }: LinePlan,
  points: readonly LinePoints[],
  from: number,
  options: SliceFoldOptions,
  pause: Pause,
): Promise<LineValues> {
  const length = points.reduce((most, { at }) => Math.max(most, at.length), 0);
  const shape = slice.shape.length === 1 ? [length] : [points.length, length];
  const positions = await inTurns(pointPositions(points), options.signal);
  const labels = await axis.labelsAt(await inTurns(movedBy(positions, from), options.signal), options);
  return {
    x: await labelsBlock(points, shape, labels, positions, labelType, pause),
    y: await valuesBlock(points, shape, lineType(method, slice.dtype), dtype, pause),
  };
}
