/**
 * Divides an array into tasks: boxes of whole stored objects. A box is computed from the number of its task, so that the
 * number of tasks takes no memory. Pure.
 */
import { defined } from '../../wire/guards.js';
import { InputError, LimitError } from '../zarr/index.js';

/** A range of elements per dimension. */
export interface TaskBox {
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

export interface TaskGrid {
  readonly shape: readonly number[];
  /** Elements of a task along each dimension: a multiple of the stored objects, or the whole dimension. */
  readonly taskShape: readonly number[];
  /** Tasks along each dimension. */
  readonly counts: readonly number[];
  readonly tasks: number;
}

/** Larger numbers of tasks could not be counted exactly. */
const MAX_TASKS = Number.MAX_SAFE_INTEGER;

/** @throws LimitError for more tasks than can be counted */
export function taskGrid(shape: readonly number[], taskShape: readonly number[]): TaskGrid {
  const counts = shape.map((size, d) => Math.ceil(size / defined(taskShape[d])));
  const tasks = counts.reduce((product, count) => product * count, 1);
  if (tasks > MAX_TASKS)
    throw new LimitError('the array has too many chunks for a job; use larger chunks', {
      excess: [{ limit: 'tasks of a job', allowed: MAX_TASKS, needed: tasks }],
    });
  return { shape, taskShape, counts, tasks };
}

/** The box of a task. Tasks are in C order. */
export function boxOfTask({ shape, taskShape, counts, tasks }: TaskGrid, task: number): TaskBox {
  if (!Number.isSafeInteger(task) || task < 0 || task >= tasks)
    throw new InputError(`there is no task ${task}; the array has ${tasks}`);
  const position = new Array<number>(shape.length).fill(0);
  let rest = task;
  for (let d = shape.length - 1; d >= 0; d--) {
    const count = defined(counts[d]);
    position[d] = rest % count;
    rest = Math.floor(rest / count);
  }
  const start = position.map((at, d) => at * defined(taskShape[d]));
  return { start, stop: start.map((from, d) => Math.min(defined(shape[d]), from + defined(taskShape[d]))) };
}

/** What the size of a task is chosen by. */
export interface TaskPrice {
  /** Decoded bytes of the source. */
  readonly readBytes: number;
  /** Bytes of the values of the task. */
  readonly valueBytes: number;
  /** Memory of the task, in bytes. */
  readonly needBytes: number;
}

export interface TaskBounds {
  /** Values of a task, in bytes, beyond which it does not grow. */
  readonly valueBytes: number;
  /** Memory of a task, in bytes, beyond which it does not grow. */
  readonly needBytes: number;
  /** Decoded bytes of the source, beyond which a task grows only to read less. */
  readonly readBytes: number;
}

/**
 * Chooses the shape of tasks. Begins with one stored object, and grows along the dimension that saves most reads of the
 * source, because a chunk of the source that several tasks need is decoded by each.
 * @param unit shape of a stored object
 * @param sourceChunks chunk lengths of the source, where known
 * @param price the price of a box
 */
export function chooseTaskShape(
  shape: readonly number[],
  unit: readonly number[],
  sourceChunks: readonly (number | undefined)[],
  price: (box: TaskBox) => TaskPrice,
  bounds: TaskBounds,
): number[] {
  const clipped = (lengths: readonly number[]): number[] =>
    lengths.map((length, d) => Math.max(1, Math.min(length, shape[d] ?? 1)));
  const priceOf = (lengths: readonly number[]): TaskPrice => price(innerBox(shape, lengths));
  const perByte = ({ readBytes, valueBytes }: TaskPrice): number => readBytes / Math.max(1, valueBytes);
  let chosen = clipped(unit);
  let current = priceOf(chosen);
  for (;;) {
    let best: { readonly lengths: number[]; readonly price: TaskPrice } | undefined;
    for (let d = shape.length - 1; d >= 0; d--)
      for (const length of longer(defined(chosen[d]), defined(unit[d]), sourceChunks[d], defined(shape[d]))) {
        const lengths = chosen.with(d, length);
        const next = priceOf(lengths);
        if (next.valueBytes > bounds.valueBytes || next.needBytes > bounds.needBytes) continue;
        // Where nothing is saved, the last dimension is taken, so that tasks are consecutive in C order.
        if (best === undefined || perByte(next) < perByte(best.price) * 0.999)
          best = { lengths, price: next };
      }
    if (best === undefined) return chosen;
    // Larger tasks of many small objects have less overhead. Beyond that, a task grows only to read less.
    const isSmall = current.valueBytes < bounds.valueBytes / 4 && current.readBytes < bounds.readBytes;
    if (!isSmall && perByte(best.price) > perByte(current) * 0.99) return chosen;
    chosen = best.lengths;
    current = best.price;
  }
}

/** Lengths to grow to: twice the length, and the next end of both a stored object and a chunk of the source. */
function longer(length: number, unit: number, chunk: number | undefined, size: number): number[] {
  if (length >= size) return [];
  const common = chunk === undefined ? length : leastCommonMultiple(unit, chunk);
  return [
    ...new Set([2 * length, common].filter((next) => next > length).map((next) => Math.min(next, size))),
  ];
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** A box of this shape that is not at the edge, if there is one: boxes at the edge may be smaller. */
function innerBox(shape: readonly number[], lengths: readonly number[]): TaskBox {
  const start = shape.map((size, d) => {
    const length = defined(lengths[d]);
    // The worst position relative to the chunks of the source is not at 0, where both begin.
    const at = Math.floor((Math.floor(size / length) - 1) / 2);
    return Math.max(0, at) * length;
  });
  return { start, stop: start.map((from, d) => Math.min(defined(shape[d]), from + defined(lengths[d]))) };
}
