/** Sets of task numbers as sorted, disjoint ranges: small while tasks finish roughly in order. */
import { InputError } from '../zarr/index.js';

/** `[from, to)`. */
export type TaskRange = readonly [from: number, to: number];

export class TaskRanges {
  readonly #ranges: [number, number][];

  /** @throws InputError unless the ranges are sorted, not empty, disjoint and below `count` */
  constructor(ranges: readonly TaskRange[] = [], count = Number.MAX_SAFE_INTEGER) {
    let end = 0;
    for (const [from, to] of ranges) {
      if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < end || to <= from || to > count)
        throw new InputError('the ranges of finished tasks are not sorted, disjoint ranges of the tasks');
      end = to;
    }
    this.#ranges = ranges.map(([from, to]) => [from, to]);
  }

  get ranges(): readonly TaskRange[] {
    return this.#ranges;
  }

  /** Number of tasks in the set. */
  get count(): number {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  has(task: number): boolean {
    const range = this.#ranges[this.#after(task) - 1];
    return range !== undefined && task < range[1];
  }

  /** The first task from `task` on that is not in the set. */
  nextMissing(task: number): number {
    const range = this.#ranges[this.#after(task) - 1];
    return range !== undefined && task < range[1] ? range[1] : task;
  }

  add(task: number): void {
    const at = this.#after(task);
    const before = this.#ranges[at - 1];
    const next = this.#ranges[at];
    if (before !== undefined && task < before[1]) return;
    const joinsBefore = before?.[1] === task;
    const joinsNext = next?.[0] === task + 1;
    if (before !== undefined && next !== undefined && joinsBefore && joinsNext) {
      before[1] = next[1];
      this.#ranges.splice(at, 1);
    } else if (before !== undefined && joinsBefore) before[1] = task + 1;
    else if (next !== undefined && joinsNext) next[0] = task;
    else this.#ranges.splice(at, 0, [task, task + 1]);
  }

  /** Index of the first range that begins after a task. */
  #after(task: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.[0] ?? Infinity) <= task) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
