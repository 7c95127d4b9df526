/**
 * Masks, weights and offsets along some axes of a slice. Plain data, so that threads can use it. A task
 * contains the part that applies to its elements.
 */
import { sizeOf, stridesOf } from '../core/bytes/shape.js';
import { runLength, type Run } from '../format/plan/parts.js';
import { groupsAt, positionOf } from './axis-map.js';
import { presentGroups } from './present-groups.js';

/** A mask of a grid: for each row, the runs of unmasked positions along another axis. */
export interface CellMask {
  /** The axis of the rows; undefined if one row applies to all elements. */
  readonly row: number | undefined;
  /** The axis of the positions in `runs`; undefined if all elements are at position 0. */
  readonly column: number | undefined;
  /** The runs of row r are `starts[r]` (inclusive) to `starts[r + 1]` (exclusive). */
  readonly starts: Float64Array;
  /** Start (inclusive) and end (exclusive) of each run, in pairs; ascending in each row. */
  readonly runs: Float64Array;
}

/** Numbers along some axes, in C order of those axes. */
export interface AxisNumbers {
  /** The axes, in any order, without duplicates. If empty, one number applies to all elements. */
  readonly axes: readonly number[];
  readonly lengths: readonly number[];
  readonly numbers: Float64Array;
}

/** Numbers to subtract from the elements, by the group of their position along an axis. */
export interface GroupOffsets {
  readonly axis: number;
  /** The group of each position along the axis. For -1, the element becomes missing. */
  readonly of: Int32Array;
  /** The offsets along all axes of the elements; along `axis`, one per group. */
  readonly numbers: AxisNumbers;
  /** Whether differences are rounded to float32. */
  readonly isSingle: boolean;
}

export interface Cells {
  /** An element counts only if all masks include it; otherwise it is treated as missing. */
  readonly masks: readonly CellMask[];
  /** The weight of an element is the product of these; undefined for an unweighted reduction. */
  readonly weights: readonly AxisNumbers[] | undefined;
  /** Offsets, subtracted one after the other. */
  readonly offsets?: readonly GroupOffsets[] | undefined;
}

export const noCells: Cells = { masks: [], weights: undefined };

/** Renumbers the axes of cells. @param renumbered new number of each axis */
export function onAxes({ masks, weights, offsets }: Cells, renumbered: readonly number[]): Cells {
  const at = (axis: number | undefined): number | undefined =>
    axis === undefined ? undefined : renumbered[axis];
  return {
    masks: masks.map((mask) => ({ ...mask, row: at(mask.row), column: at(mask.column) })),
    weights: weights?.map((weight) => numbersOnAxes(weight, renumbered)),
    offsets: offsets?.map((offset) => ({
      ...offset,
      axis: renumbered[offset.axis],
      numbers: numbersOnAxes(offset.numbers, renumbered),
    })),
  };
}

function numbersOnAxes(numbers: AxisNumbers, renumbered: readonly number[]): AxisNumbers {
  return { ...numbers, axes: numbers.axes.map((axis) => renumbered[axis]) };
}

/**
 * Extracts the part for one task. Rows and numbers become relative to the task's first element; the positions
 * of columns stay relative to the slice. Yields between pieces of work.
 * @param runs positions of the task's elements along each axis
 */
export function* cellsOfTask(
  { masks, weights, offsets }: Cells,
  runs: readonly Run[],
): Generator<void, Cells, void> {
  const ownOffsets: GroupOffsets[] = [];
  for (const offset of offsets ?? []) ownOffsets.push(yield* offsetsOfTask(offset, runs));
  return {
    masks: masks.map((mask) => maskOfTask(mask, runs)),
    weights: weights?.map((weight) => numbersOfTask(weight, runs)),
    offsets: offsets === undefined ? undefined : ownOffsets,
  };
}

/** Extracts the offsets of the groups that have elements in the task. */
function* offsetsOfTask(offset: GroupOffsets, runs: readonly Run[]): Generator<void, GroupOffsets, void> {
  const { axis, numbers, isSingle } = offset;
  const run = runs[axis] ?? { start: 0, step: 1, count: 1 };
  const present = yield* presentGroups(yield* groupsAt(offset, run));
  return {
    axis,
    of: present.of,
    numbers: numbersOfTask(
      numbers,
      runs.map((other, d) => (d === axis ? { at: present.groups } : other)),
    ),
    isSingle,
  };
}

function maskOfTask(mask: CellMask, runs: readonly Run[]): CellMask {
  const run = mask.row === undefined ? undefined : runs[mask.row];
  if (run === undefined) return mask;
  const rows = runLength(run);
  const starts = new Float64Array(rows + 1);
  for (let r = 0; r < rows; r++) {
    const row = positionOf(run, r);
    starts[r + 1] = starts[r] + mask.starts[row + 1] - mask.starts[row];
  }
  // Copies the runs, because a message with a view contains the whole buffer of the view.
  const kept = new Float64Array(2 * starts[rows]);
  for (let r = 0; r < rows; r++) {
    const row = positionOf(run, r);
    kept.set(mask.runs.subarray(2 * mask.starts[row], 2 * mask.starts[row + 1]), 2 * starts[r]);
  } // prettier-ignore
  return { ...mask, starts, runs: kept };
}

function numbersOfTask({ axes, lengths, numbers }: AxisNumbers, runs: readonly Run[]): AxisNumbers {
  const own = axes.map((axis) => runs[axis] ?? { start: 0, step: 1, count: 1 });
  const counts = own.map(runLength);
  const strides = stridesOf(lengths);
  const kept = new Float64Array(sizeOf(counts));
  let at = 0;
  const walk = (depth: number, from: number): void => {
    if (depth === own.length) {
      kept[at++] = numbers[from];
      return;
    }
    const [run, count, stride] = [own[depth], counts[depth], strides[depth]];
    if (depth === own.length - 1 && stride === 1 && !('at' in run) && run.step === 1) {
      kept.set(numbers.subarray(from + run.start, from + run.start + count), at);
      at += count;
    } else for (let i = 0; i < count; i++) walk(depth + 1, from + positionOf(run, i) * stride);
  };
  walk(0, 0);
  return { axes, lengths: counts, numbers: kept };
}
