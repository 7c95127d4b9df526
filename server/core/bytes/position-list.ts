/** Positions in ascending order or not, of which there may be millions: an array of numbers would be copied as it grows. */

const FIRST = 2 ** 10;
/** Number of positions after which a further block is started instead of a larger one. */
const MOST = 2 ** 16;

export class PositionList {
  readonly #full: Float64Array[] = [];
  #block = new Float64Array(FIRST);
  #used = 0;
  #length = 0;
  #isRun = true;
  #first = 0;
  #last = NaN;

  get length(): number {
    return this.#length;
  }

  push(position: number): void {
    if (this.#used === this.#block.length) {
      this.#full.push(this.#block);
      this.#block = new Float64Array(Math.min(MOST, 2 * this.#block.length));
      this.#used = 0;
    }
    this.#block[this.#used++] = position;
    if (this.#length === 0) this.#first = position;
    this.#isRun &&= this.#length === 0 || position === this.#last + 1;
    this.#last = position;
    this.#length++;
  }

  /** The positions as a range if they are consecutive, otherwise as a list. Yields between pieces of work. */
  *selection(): Generator<
    void,
    | { readonly kind: 'slice'; readonly start: number; readonly stop: number }
    | { readonly kind: 'indices'; readonly indices: Float64Array },
    void
  > {
    if (this.#isRun) return { kind: 'slice', start: this.#first, stop: this.#first + this.#length };
    const indices = new Float64Array(this.#length);
    let at = 0;
    for (const block of [...this.#full, this.#block.subarray(0, this.#used)]) {
      indices.set(block, at);
      at += block.length;
      yield;
    }
    return { kind: 'indices', indices };
  }
}
