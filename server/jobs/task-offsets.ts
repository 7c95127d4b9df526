/** The tasks of several arrays, numbered consecutively. */
import { defined } from '../../wire/guards.js';
import { InputError } from '../zarr/index.js';

export class TaskOffsets {
  readonly #first: number[] = [];
  readonly count: number;

  /** @param counts number of tasks of each array */
  constructor(counts: readonly number[]) {
    let next = 0;
    for (const count of counts) {
      this.#first.push(next);
      next += count;
    }
    this.count = next;
  }

  /** The first task of an array. */
  first(index: number): number {
    return this.#first[index] ?? this.count;
  }

  /** The array of a task, and the number of the task in it. @throws InputError for a number out of range */
  locate(task: number): { readonly index: number; readonly task: number } {
    if (!Number.isSafeInteger(task) || task < 0 || task >= this.count)
      throw new InputError(`there is no task ${task}; the job has ${this.count}`);
    let [low, high] = [0, this.#first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (defined(this.#first[middle]) <= task) low = middle + 1;
      else high = middle;
    }
    return { index: low - 1, task: task - defined(this.#first[low - 1]) };
  }
}
