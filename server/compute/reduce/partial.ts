/**
 * Partial results: the contribution of one chunk, stored or absent, to a reduction. That of a stored chunk is
 * computed by the thread that decoded it.
 */
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { inArrayOrder } from '../../format/plan/layout.js';
import { labelOrderOf, labelOrderOfFill } from '../line/label-order.js';
import type { ReadTask } from '../../format/plan/plan.js';
import { statisticsOfFill, statisticsOfRegion } from '../statistics/statistics-partial.js';
import { runLength, type Run } from '../../format/plan/parts.js';
import { regionInChunk, type ElementRegion } from '../../format/plan/region.js';
import { elementRuns } from '../elements.js';
import {
  droppedAxis,
  placeAxis,
  slotEnds,
  slotSizes,
  type MappedAxis,
  type PlacedAxis,
  type TaskAxis,
} from '../axis-map.js';
import { cellsOfTask, type Cells } from '../cells.js';
import type { Kernel } from '../kernel.js';
import { addColumnsOf } from './column-kernels.js';
import { forEachRow, piecesOf, type Piece, type PieceForm } from '../piece.js';
import { kernelOf, type ReducerSpec } from './reducer.js';
import { createState, type ReduceState } from '../state.js';
import { widen } from '../number-planes.js';

/** How the elements of each chunk are reduced, as plain data. `dtype` is the type of the reduced values. */
export interface ReduceSpec extends PieceForm {
  readonly reducer: ReducerSpec;
  /** See `InnerChunkLayout.axes`. */
  readonly axes: readonly number[];
  /**
   * The part of each element to reduce, such as a field of a struct: its location. Undefined for all of it.
   */
  readonly part: ElementRegion | undefined;
}

/** The reduction of all chunks of a read, as plain data. */
export interface ReduceRule {
  readonly spec: ReduceSpec;
  /** One axis per dimension of a task, followed by one per dimension of the part. */
  readonly axes: readonly MappedAxis[];
  /** Masks, weights and offsets of the elements, by these axes. */
  readonly cells: Cells | undefined;
}

/** The slots of a task's elements. Yields between pieces of work. */
export function* axesOfTask(
  { spec, axes }: ReduceRule,
  { parts }: Pick<ReadTask, 'parts'>,
): Generator<void, PlacedAxis[], void> {
  const runs: Run[] = 'points' in parts ? [{ at: parts.to }] : parts.map(({ to }) => to);
  for (const { count } of spec.part?.dims ?? []) runs.push({ start: 0, step: 1, count });
  const placed: PlacedAxis[] = [];
  for (const [d, run] of runs.entries()) placed.push(yield* placeAxis(axes[d] ?? droppedAxis, run));
  return placed;
}

/** @param placed the result of `axesOfTask` */
export function* workOfTask(
  { spec, cells }: ReduceRule,
  { parts }: Pick<ReadTask, 'parts'>,
  placed: readonly PlacedAxis[],
): Generator<void, ReduceWork, void> {
  const axes = placed.map(({ axis }) => axis);
  const runs = axes.map(({ run }) => run);
  return { spec, parts, axes, cells: cells === undefined ? undefined : yield* cellsOfTask(cells, runs) };
}

/** Input of a thread that reduces one chunk, as plain data. */
export interface ReduceWork {
  readonly spec: ReduceSpec;
  readonly parts: ReadTask['parts'];
  /** One axis per dimension of the task, followed by one per dimension of the part. */
  readonly axes: readonly TaskAxis[];
  /** Masks, weights and offsets of the task; see `cellsOfTask`. */
  readonly cells: Cells | undefined;
}

/** The partial result of a task with at most one element per slot: its elements in C order, as stored. */
export interface ElementsPartial {
  readonly elements: Uint8Array;
}

/** Maximum number of elements copied at a time. */
const COPIED = 65_536;

/**
 * Computes the partial result of a chunk. Yields at least every few milliseconds. The result is independent
 * of the thread and of the layout of the chunk.
 */
export function* partialOf(
  { spec, parts, axes, cells }: ReduceWork,
  { values, strides }: DecodedChunk,
): Generator<void, unknown> {
  const inChunk = regionInChunk(parts, inArrayOrder(strides, spec.axes));
  const dims = [...inChunk.dims, ...(spec.part?.dims ?? [])];
  const region = { from: inChunk.from + (spec.part?.from ?? 0), dims };
  return yield* partialOfRegion({ ...spec, cells }, axes, values, region);
}

/** Like `partialOf`, without yielding, for threads that may block. */
export function partialNow(work: ReduceWork, decoded: DecodedChunk): unknown {
  const steps = partialOf(work, decoded);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Reduces elements with any strides. @param region region of the elements, one dimension per axis */
export function* partialOfRegion(
  { reducer, ...form }: PieceForm & Pick<ReduceSpec, 'reducer'>,
  axes: readonly TaskAxis[],
  values: Values,
  region: ElementRegion,
): Generator<void, unknown> {
  if (reducer.kind === 'statistics') return yield* statisticsOfRegion(reducer, form, axes, values, region);
  if (reducer.kind === 'labelOrder') return yield* labelOrderOf(reducer, form, axes, values, region);
  if (form.cells === undefined && 'bytes' in values && isThin(axes))
    if (kernelOf(reducer, form.dtype, 1).addEach !== undefined)
      return yield* elementsOf(values, region, form.itemSize ?? 1);
  const totals = yield* slotTotals(axes);
  const kernel = kernelOf(
    reducer,
    form.dtype,
    totals.reduce((a, b) => Math.max(a, b), 0),
  );
  const slots = sizeOf(axes.map((axis) => axis.slots));
  const { values: arrays } = createState(slots, kernel.arrays);
  let state: ReduceState = { count: totals, values: arrays };
  const columns =
    kernel.columns === undefined ? undefined : addColumnsOf(kernel.columns, values, region, axes, form);
  if (columns !== undefined) {
    const missing = yield* columns(state);
    if (missing !== undefined) state = { ...state, count: presentOf(totals, missing) };
    kernel.endPass?.(state, 0);
    return compact(state, kernel);
  }
  for (let pass = 0; pass < kernel.passes; pass++) {
    let missing: Float64Array | undefined;
    for (const piece of piecesOf(values, region, axes, form)) {
      if (pass === 0 && piece.hasMissing) countMissing(piece, (missing ??= new Float64Array(slots)));
      kernel.add(state, piece, pass);
      yield;
    }
    if (missing !== undefined) state = { ...state, count: presentOf(totals, missing) };
    kernel.endPass?.(state, pass);
  }
  return compact(state, kernel);
}

/** Reduces a block in C order. @param values values, aligned to 8 bytes */
export function partialOfBlock(
  form: PieceForm & Pick<ReduceSpec, 'reducer'>,
  axes: readonly TaskAxis[],
  shape: readonly number[],
  values: Values,
): Generator<void, unknown> {
  const strides = stridesOf(shape, form.itemSize ?? 1);
  const dims = shape.map((count, d) => ({ count, from: strides[d] }));
  return partialOfRegion(form, axes, values, { from: 0, dims });
}

/**
 * Whether all elements have different slots, so that a state would only use more memory than the elements.
 * False also for kept axes that are lists, and for blocks of one element.
 */
function isThin(axes: readonly TaskAxis[]): boolean {
  return axes.every(({ run, slots, slotOf }) => {
    if (slotOf === 'own') return !('at' in run);
    if (slotOf === 'one') return runLength(run) === 1;
    return 'list' in slotOf && slots === runLength(run);
  });
}

function* elementsOf(
  values: Extract<Values, { bytes: Uint8Array }>,
  region: ElementRegion,
  itemSize: number,
): Generator<void, ElementsPartial> {
  const elements = new Uint8Array(sizeOf(region.dims.map(({ count }) => count)) * itemSize);
  let at = 0;
  for (const run of elementRuns(values, region, itemSize, COPIED)) {
    if ('bytes' in run.values) elements.set(run.values.bytes, at);
    at += run.count * itemSize;
    yield;
  }
  return { elements };
}

/** Number of elements per slot; a single number if it is the same for all. */
function* slotTotals(axes: readonly TaskAxis[]): Generator<void, Float64Array, void> {
  const sizes: Float64Array[] = [];
  for (const axis of axes) sizes.push(yield* slotSizes(axis));
  if (sizes.every(({ length }) => length === 1))
    return Float64Array.of(sizes.reduce((product, [size = 1]) => product * size, 1));
  return axes.reduce((totals, { slots }, d) => {
    const size = sizes[d] ?? totals;
    const stride = size.length === 1 ? 0 : 1;
    const next = new Float64Array(totals.length * slots);
    for (let i = 0, at = 0; i < totals.length; i++)
      for (let k = 0; k < slots; k++) next[at++] = totals[i] * size[k * stride];
    return next;
  }, Float64Array.of(1));
}

function countMissing(piece: Piece, missing: Float64Array): void {
  const [plane] = piece.planes;
  forEachRow(piece, (at, length, slot, stride) => {
    for (let i = at, s = slot; i < at + length; i++, s += stride)
      if (plane[i] !== plane[i]) missing[s] = missing[s] + 1;
  });
}

function presentOf(totals: Float64Array, missing: Float64Array): Float64Array {
  const stride = totals.length === 1 ? 0 : 1;
  return missing.map((count, s) => totals[s * stride] - count);
}

/** Replaces an array of equal slots with a single slot, which is cheaper to transfer. */
function compact({ count, values }: ReduceState, { arrays }: Kernel): ReduceState {
  return {
    count: compactArray(count, 1),
    values: values.map((array, a) => compactArray(array, arrays[a]?.width ?? 1)),
  };
}

function compactArray(array: Float64Array, width: number): Float64Array {
  for (let i = width; i < array.length; i++) if (!Object.is(array[i], array[i - width])) return array;
  return array.slice(0, width);
}

/** Number of slots of an absent chunk that are filled between two yields. */
const FILLED = 4096;

/** The partial result of an absent chunk, in closed form. Yields after every few thousand slots. */
export function* partialOfFill(
  { spec, axes }: Pick<ReduceWork, 'spec' | 'axes'>,
  fill: Values,
): Generator<void, unknown> {
  const { reducer } = spec;
  if (reducer.kind === 'statistics') return statisticsOfFill(reducer, spec, axes, fill);
  if (reducer.kind === 'labelOrder') return labelOrderOfFill(reducer, spec, axes, fill);
  const { planes, hasMissing } = widen({ values: fill, count: 1 }, spec.dtype);
  const element = { planes: planes.map((plane) => plane?.[0] ?? 0), isMissing: hasMissing };
  const totals = yield* slotTotals(axes);
  const most = totals.reduce((a, b) => Math.max(a, b), 0);
  const kernel = kernelOf(reducer, spec.dtype, most);
  const { needsPositions } = kernel;
  const { firsts, lasts } = needsPositions ? yield* slotPositions(axes) : noPositions;
  const slots = Math.max(totals.length, firsts.length, lasts.length);
  const at = (array: Float64Array, slot: number): number => array[array.length === 1 ? 0 : slot];
  const state = createState(slots, kernel.arrays);
  // Slots with the same number of elements are equal if the state contains no positions.
  const equal = new Map<number, number>();
  for (let slot = 0; slot < slots; slot++) {
    if (slot % FILLED === FILLED - 1) yield;
    const times = at(totals, slot);
    if (times === 0) continue;
    const known = kernel.needsPositions ? undefined : equal.get(times);
    if (known !== undefined) {
      copySlot(state, kernel, known, slot);
      continue;
    }
    equal.set(times, slot);
    state.count[slot] = hasMissing ? 0 : times;
    kernel.repeat(state, slot, { ...element, times, first: at(firsts, slot), last: at(lasts, slot) });
  }
  return compact(state, kernel);
}

function copySlot({ count, values }: ReduceState, { arrays }: Kernel, from: number, to: number): void {
  count[to] = count[from];
  for (let a = 0; a < values.length; a++) {
    const [array, width] = [values[a], arrays[a]?.width ?? 1];
    if (array === undefined) continue;
    for (let i = 0; i < width; i++) array[to * width + i] = array[from * width + i];
  }
}

interface SlotPositions {
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
}

const noPositions: SlotPositions = { firsts: Float64Array.of(0), lasts: Float64Array.of(0) };

/** The first and last position of each slot's elements; a single number if it is the same for all. */
function* slotPositions(axes: readonly TaskAxis[]): Generator<void, SlotPositions, void> {
  const firsts: Float64Array[] = [];
  const lasts: Float64Array[] = [];
  for (const axis of axes) {
    const { first, last } = yield* slotEnds(axis);
    firsts.push(first);
    lasts.push(last);
  }
  return { firsts: yield* sumsOf(axes, firsts), lasts: yield* sumsOf(axes, lasts) };
}

/** The sum of the shares of all axes for each slot; a single number if it is the same for all. */
function* sumsOf(
  axes: readonly TaskAxis[],
  ends: readonly Float64Array[],
): Generator<void, Float64Array, void> {
  if (ends.every(({ length }) => length === 1))
    return Float64Array.of(ends.reduce((sum, [position = 0]) => sum + position, 0));
  let sums = Float64Array.of(0);
  for (const [d, { slots }] of axes.entries()) {
    const own = ends[d] ?? sums;
    const stride = own.length === 1 ? 0 : 1;
    const next = new Float64Array(sums.length * slots);
    for (let i = 0, at = 0; i < sums.length; i++)
      for (let k = 0; k < slots; k++) {
        if (at % FILLED === FILLED - 1) yield;
        next[at++] = sums[i] + own[k * stride];
      }
    sums = next;
  }
  return sums;
}
