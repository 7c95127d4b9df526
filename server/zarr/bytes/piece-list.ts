/** A long string made of many short pieces. */

/** Pieces that are joined at a time. */
const BATCH = 4096;

/**
 * Joins pieces in batches. Adding millions of them to one string would make as many objects, which are copied together
 * only when the string is first looked at.
 */
export class PieceList {
  private readonly joined: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    if (this.pieces.push(piece) < BATCH) return;
    this.joined.push(this.pieces.join(''));
    this.pieces = [];
  }

  text(): string {
    return [...this.joined, ...this.pieces].join('');
  }
}
