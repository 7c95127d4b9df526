/** Builds a long string from many short pieces. */

/** Number of pieces to join at a time. */
const BATCH = 4096;

/**
 * Joins pieces in batches. Appending millions of pieces to one string would create as many string objects,
 * which V8 flattens only at the first read.
 */
export class PieceList {
  readonly #joined: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < BATCH) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  text(): string {
    return [...this.#joined, ...this.#pieces].join('');
  }
}
