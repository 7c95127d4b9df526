/**
 * What goes with the elements of a slice along some of its axes: which of them count, and how much. Plain data, so that
 * threads can use it; a task takes the part that belongs to its elements with it.
 */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import { runLength, type Run } from '../parts.js';
import { positionOf } from './axis-map.js';

/** Which cells of a grid count: for each row, runs of positions along another axis. */
export interface CellMask {
  /** The axis of the rows; undefined: there is one row, for all elements. */
  readonly row: number | undefined;
  /** The axis of the positions in `runs`; undefined: all elements are at position 0. */
  readonly column: number | undefined;
  /** Row r has the runs from `starts[r]` up to, not including, `starts[r + 1]`. */
  readonly starts: Float64Array;
  /** First position and end of each run, one pair after another; ascending in each row. */
  readonly runs: Float64Array;
}

/** Numbers along some axes, in C order of these. */
export interface AxisNumbers {
  /** In any order, each once. None: one number for all elements. */
  readonly axes: readonly number[];
  readonly lengths: readonly number[];
  readonly numbers: Float64Array;
}

export interface Cells {
  /** An element counts if all of them have it; others are taken as missing. */
  readonly masks: readonly CellMask[];
  /** The weight of an element is their product. Undefined: elements have none. */
  readonly weights: readonly AxisNumbers[] | undefined;
}

/** The same, of axes that are counted differently. @param place of each axis */
export function onAxes({ masks, weights }: Cells, place: readonly number[]): Cells {
  const at = (axis: number | undefined): number | undefined => (axis === undefined ? undefined : place[axis]);
  return {
    masks: masks.map((mask) => ({ ...mask, row: at(mask.row), column: at(mask.column) })),
    weights: weights?.map((one) => ({ ...one, axes: one.axes.map((axis) => place[axis] ?? 0) })),
  };
}

/**
 * The part that belongs to one task: rows and numbers count from the task's first element, positions of columns stay those of
 * the slice.
 * @param runs positions of the task's elements along each axis
 */
export function cellsOfTask({ masks, weights }: Cells, runs: readonly Run[]): Cells {
  return {
    masks: masks.map((mask) => maskOfTask(mask, runs)),
    weights: weights?.map((one) => numbersOfTask(one, runs)),
  };
}

function maskOfTask(mask: CellMask, runs: readonly Run[]): CellMask {
  const run = mask.row === undefined ? undefined : runs[mask.row];
  // A typed array that is a part of another would travel with all of that.
  if (run === undefined) return mask;
  const rows = runLength(run);
  const starts = new Float64Array(rows + 1);
  for (let r = 0; r < rows; r++) {
    const row = positionOf(run, r);
    starts[r + 1] = (starts[r] ?? 0) + (mask.starts[row + 1] ?? 0) - (mask.starts[row] ?? 0);
  }
  const kept = new Float64Array(2 * (starts[rows] ?? 0));
  for (let r = 0; r < rows; r++) {
    const row = positionOf(run, r);
    kept.set(mask.runs.subarray(2 * (mask.starts[row] ?? 0), 2 * (mask.starts[row + 1] ?? 0)), 2 * (starts[r] ?? 0));
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
    const [run, count = 0, stride = 0] = [own[depth], counts[depth], strides[depth]];
    if (run === undefined) kept[at++] = numbers[from] ?? 0;
    else for (let i = 0; i < count; i++) walk(depth + 1, from + positionOf(run, i) * stride);
  };
  walk(0, 0);
  return { axes, lengths: counts, numbers: kept };
}
