/** Builds a long string from many short pieces. */

/** Pieces joined at a time. */
const BATCH = 4096;

/**
 * Joins pieces in batches. Appending millions of them to one string would create as many string objects,
 * which are only copied when the string is first read.
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
