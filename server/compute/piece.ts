/** Pieces of a task: its elements as numbers, with their slots. The input of reducers. */
import { firstIndexWhere } from '../core/bytes/search.js';
import { sizeOf, stridesOf } from '../core/bytes/shape.js';
import type { Values } from '../core/bytes/values.js';
import type { DataType } from '../core/dtype/data-type.js';
import { type ElementRun, elementRuns, type RunDim } from './elements.js';
import type { ElementRegion } from '../format/plan/region.js';
import { applyTransform } from './transform/apply-transform.js';
import type { ElementTransform } from '../format/plan/element-transform.js';
import { positionOf, type TaskAxis } from './axis-map.js';
import { type ElementBox, forEachOutside, subtractOffsets, weightsOf } from './cell-values.js';
import type { Cells } from './cells.js';
import { PIECE, type PlaneList, widen } from './number-planes.js';

/** Elements in C order as numbers, with their slots. */
export interface Piece {
  readonly length: number;
  /**
   * One or two planes, with one number per element; the first plane is NaN for a missing element. The arrays
   * may be longer than the piece, and are valid until the next piece. Reducers may modify them.
   */
  readonly planes: PlaneList;
  readonly hasMissing: boolean;
  /** The weight of each element, if the task has weights. Valid until the next piece. */
  readonly weights?: Float64Array | undefined;
  /** The position of an element in C order of the reduced axes. */
  positionAt(i: number): number;
  /** The positions of all elements. Valid until the next piece. */
  positions(): Float64Array;
  readonly dims: readonly PieceDim[];
  /** Origin of the slots in `dims`. */
  readonly base: number;
}

/** Consecutive elements along an axis. */
interface PieceDim {
  readonly count: number;
  /** Index of the first element within the task. */
  readonly start: number;
  readonly axis: TaskAxis;
  /** Stride of slots along the axis. */
  readonly stride: number;
}

/** Preparation of elements before they are reduced. */
export interface PieceForm {
  readonly dtype: DataType;
  readonly transform: ElementTransform | undefined;
  /** Size of a stored value in bytes; null for items. */
  readonly itemSize: number | null;
  /** Masks, weights and offsets of the task; see `cellsOfTask`. */
  readonly cells?: Cells | undefined;
}

/**
 * @param region region of the task's elements, one dimension per axis
 * @param strides strides of slots along each axis
 */
export function* piecesOf(
  values: Values,
  region: ElementRegion,
  axes: readonly TaskAxis[],
  form: PieceForm,
  strides: readonly number[] = stridesOf(axes.map(({ slots }) => slots)),
  base = 0,
): Generator<Piece> {
  for (const run of elementRuns(values, region, form.itemSize, PIECE)) {
    const { planes, hasMissing } = widen(transformed(run, form.transform), form.dtype);
    const applied = applyCells(form.cells, { dims: run.dims, runs: axes.map((axis) => axis.run) }, planes);
    const dims = axes.map((axis, d): PieceDim => {
      const { start, count } = run.dims[d] ?? { start: 0, count: 1 };
      return { count, start, axis, stride: strides[d] };
    });
    yield {
      length: run.count,
      planes,
      hasMissing: hasMissing || applied.hasMissing,
      weights: applied.weights,
      positionAt: (i) => positionWithin(run.dims, axes, i),
      positions: () => positionsOf(run.dims, axes, run.count),
      dims,
      base,
    };
  }
}

/** Replaces masked elements with missing values, subtracts offsets, and computes weights. */
function applyCells(
  cells: Cells | undefined,
  box: ElementBox,
  [first, second]: PlaneList,
): { readonly hasMissing: boolean; readonly weights: Float64Array | undefined } {
  if (cells === undefined) return { hasMissing: false, weights: undefined };
  let hasMissing = false;
  const clear = (from: number, to: number): void => {
    first.fill(NaN, from, to);
    // Sums of 64-bit integers and times include the lower words of missing values, which must be 0.
    second?.fill(0, from, to);
  };
  for (const mask of cells.masks) if (forEachOutside(mask, box, clear)) hasMissing = true;
  for (const offsets of cells.offsets ?? []) if (subtractOffsets(first, offsets, box)) hasMissing = true;
  return { hasMissing, weights: cells.weights === undefined ? undefined : weightsOf(cells.weights, box) };
}

let target = new Uint8Array(0);

function transformed(run: ElementRun, transform: ElementTransform | undefined): ElementRun {
  if (transform === undefined || 'items' in run.values) return run;
  const length = run.count * transform.dtype.itemSize;
  if (target.length < length) target = new Uint8Array(length);
  const bytes = target.subarray(0, length);
  applyTransform(transform, run.values.bytes, bytes);
  return { values: { bytes }, count: run.count };
}

/**
 * @param at index of the row's first element within the piece
 * @param stride stride of slots; 0 if all elements belong to one slot
 */
export type VisitRow = (at: number, length: number, slot: number, stride: number) => void;

/** Consecutive elements in blocks. Each block has one slot; slots have a constant stride. */
export interface BlockRow {
  /** Index of the first element within the piece. */
  readonly at: number;
  /** Indices along the axis: first element (inclusive) and end (exclusive). */
  readonly start: number;
  readonly end: number;
  /**
   * The index at which each block begins, and the end of the last block. The row does not start before the
   * first block.
   */
  readonly starts: Float64Array;
  /** Slot of the first block. */
  readonly slot: number;
  readonly stride: number;
}

/**
 * Visits elements in C order, in rows that belong to one slot or to slots at equal strides. Omits elements
 * without a slot.
 * @param visitBlocks called instead of `visit` for rows of blocks, unless they start before the first block.
 * Several times as fast for short blocks
 */
export function forEachRow(
  { dims, base }: Pick<Piece, 'dims' | 'base'>,
  visit: VisitRow,
  visitBlocks?: (row: BlockRow) => void,
): void {
  const { rows, first } = joined(dims);
  const sizes = rows.map((_, d) => rows.slice(d + 1).reduce((product, { count }) => product * count, 1));
  let at = 0;
  const walk = (depth: number, slot: number): void => {
    const dim = rows[depth];
    if (dim === undefined) {
      visit(at++, 1, slot, 0);
      return;
    }
    const isLast = depth === rows.length - 1;
    const each = (count: number, step: number): void => {
      if (step < 0) at += count * sizes[depth];
      else if (isLast) {
        visit(at, count, slot + step * dim.to, 0);
        at += count;
      } else for (let i = 0; i < count; i++) walk(depth + 1, slot + step * dim.to);
    };
    if (isLast && visitBlocks !== undefined && beginsInBlock(dim)) {
      const { start, count, to } = dim;
      visitBlocks({ at, start, end: start + count, starts: dim.slotOf.starts, slot, stride: to });
      at += count;
    } else if (dim.slotOf !== undefined) forEachSlot(dim, dim.slotOf, each);
    else if (isLast) {
      visit(at, dim.count, slot, dim.to);
      at += dim.count;
    } else for (let i = 0; i < dim.count; i++) walk(depth + 1, slot + i * dim.to);
  };
  walk(0, base + first);
}

interface RowDimension {
  readonly count: number;
  readonly start: number;
  /** Stride of slots. It refers to the slots of `slotOf` if that is set, otherwise to elements. */
  readonly to: number;
  readonly slotOf: Exclude<TaskAxis['slotOf'], string> | undefined;
}

interface BlockDimension extends RowDimension {
  readonly slotOf: { readonly starts: Float64Array };
}

function beginsInBlock(dim: RowDimension): dim is BlockDimension {
  const { slotOf, start } = dim;
  return slotOf !== undefined && 'starts' in slotOf && start >= (slotOf.starts[0] ?? Infinity);
}

/**
 * Visits runs of elements of one slot.
 * @param each called with the length of a run and its slot along this axis, or -1
 */
function forEachSlot(
  { start, count }: RowDimension,
  slotOf: Exclude<TaskAxis['slotOf'], string>,
  each: (count: number, slot: number) => void,
): void {
  const end = start + count;
  let i = start;
  if ('list' in slotOf) {
    while (i < end) {
      const slot = slotOf.list[i] ?? -1;
      const first = i++;
      while (i < end && slotOf.list[i] === slot) i++;
      each(i - first, slot);
    }
    return;
  }
  const { starts } = slotOf;
  let k = slotBefore(starts, start);
  while (i < end) {
    const next = Math.min(end, starts[k + 1] ?? end);
    if (next > i) each(next - i, k + 1 < starts.length ? k : -1);
    i = next;
    k++;
  }
}

/** The index of the last start at or before an element; -1 if there is none. */
export function slotBefore(starts: Float64Array, element: number): number {
  return firstIndexWhere(0, starts.length, (i) => (starts[i] ?? Infinity) > element) - 1;
}

/**
 * Merges adjacent dimensions if all their elements belong to one slot, or each to a separate slot at equal
 * strides. Also returns the slot of the first element along the dimensions without lists and blocks.
 */
function joined(dims: readonly PieceDim[]): {
  readonly rows: readonly RowDimension[];
  readonly first: number;
} {
  const rows: RowDimension[] = [];
  let first = 0;
  for (const { count, start, axis, stride } of dims) {
    const { slotOf } = axis;
    if (typeof slotOf !== 'string') {
      rows.push({ count, start, to: stride, slotOf });
      continue;
    }
    const to = slotOf === 'own' ? stride : 0;
    first += start * to;
    if (count === 1) continue;
    const outer = rows.at(-1);
    if (outer !== undefined && outer.slotOf === undefined && outer.to === to * count)
      rows[rows.length - 1] = { count: outer.count * count, start: 0, to, slotOf: undefined };
    else rows.push({ count, start: 0, to, slotOf: undefined });
  }
  return { rows, first };
}

/** The position of one element. @param i index within the box, in C order */
function positionWithin(dims: readonly RunDim[], axes: readonly TaskAxis[], i: number): number {
  let rest = i;
  let position = 0;
  for (let d = axes.length - 1; d >= 0; d--) {
    const [dim, axis] = [dims[d], axes[d]];
    if (dim === undefined || axis === undefined) continue;
    const along = rest % dim.count;
    rest = (rest - along) / dim.count;
    position += positionOf(axis.run, dim.start + along) * axis.positionStride;
  }
  return position;
}

let positions = new Float64Array(0);

/** The positions of all elements. Valid until the next call. */
function positionsOf(dims: readonly RunDim[], axes: readonly TaskAxis[], count: number): Float64Array {
  if (positions.length < count) positions = new Float64Array(Math.max(PIECE, count));
  // Trailing axes that are kept do not change positions.
  let firstAlike = axes.length;
  while (firstAlike > 0 && axes[firstAlike - 1]?.positionStride === 0) firstAlike--;
  const alike = sizeOf(dims.slice(firstAlike).map((dim) => dim.count));
  let at = 0;
  const walk = (depth: number, base: number): void => {
    const [dim, axis] = [dims[depth], axes[depth]];
    if (dim === undefined || axis === undefined) {
      positions[at++] = base;
      return;
    }
    const { run, positionStride } = axis;
    if (depth >= firstAlike) {
      const end = at + alike;
      positions.fill(base, at, end);
      at = end;
      return;
    }
    if (depth === axes.length - 1) {
      if ('at' in run)
        for (let i = 0; i < dim.count; i++)
          positions[at++] = base + positionOf(run, dim.start + i) * positionStride;
      else {
        const first = base + positionOf(run, dim.start) * positionStride;
        const step = run.step * positionStride;
        for (let i = 0; i < dim.count; i++) positions[at++] = first + i * step;
      }
      return;
    }
    for (let i = 0; i < dim.count; i++)
      walk(depth + 1, base + positionOf(run, dim.start + i) * positionStride);
  };
  walk(0, 0);
  return positions;
}
