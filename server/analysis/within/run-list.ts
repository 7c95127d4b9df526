/** The runs of unmasked cells in each row. */
import { LimitError } from '../../zarr/index.js';

/** Maximum number of runs in all rows. */
const MAX_RUNS = 2 ** 22;

export class RunList {
  readonly #runs: number[] = [];
  #row: (readonly [first: number, end: number])[] = [];

  get count(): number {
    return this.#runs.length / 2;
  }

  add(first: number, end: number): void {
    this.#row.push([first, end]);
    if (this.#row.length + this.count > MAX_RUNS)
      throw new LimitError('the geometry has too many runs of cells; simplify it, or select less', {
        excess: [{ limit: 'runs', allowed: MAX_RUNS, needed: MAX_RUNS + 1 }],
      });
  }

  /** Sorts the runs of a row and merges adjacent ones. */
  endRow(): void {
    this.#row.sort((a, b) => a[0] - b[0]);
    const start = this.#runs.length;
    for (const [first, end] of this.#row) {
      const last = this.#runs.length - 1;
      if (last > start && first <= (this.#runs[last] ?? 0)) this.#runs[last] = Math.max(this.#runs[last] ?? 0, end);
      else this.#runs.push(first, end);
    }
    this.#row = [];
  } // prettier-ignore

  list(): Float64Array {
    return Float64Array.from(this.#runs);
  }
}
