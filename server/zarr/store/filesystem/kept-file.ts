/**
 * The file that was read last, kept open for its other parts while one call of a store reads them: of the six system
 * calls that a read takes, two remain. A plane through a shard takes a tenth less (`npm run bench`, Node 20).
 */
import { closeSync, type Stats } from 'node:fs';

/** A file that is being read by blocking calls. */
export interface OpenFile {
  readonly descriptor: number;
  /** Since the last read: what changes afterwards shows after the next one. undefined: nothing was read, or that failed. */
  stats: Stats | undefined;
}

export class KeptFile {
  #path = '';
  #file: OpenFile | undefined;
  #isOver = false;

  /** The open file at that path. It was found inside the store when it was opened. */
  fileAt(path: string): OpenFile | undefined {
    return path === this.#path ? this.#file : undefined;
  }

  /** Takes over an open file, and closes the one before. */
  keep(path: string, file: OpenFile): void {
    this.#closeOne();
    [this.#path, this.#file] = [path, file];
    // A read that nobody waits for any more.
    if (this.#isOver) this.#closeOne();
  }

  /** The call has ended. */
  close(): void {
    this.#isOver = true;
    this.#closeOne();
  }

  #closeOne(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }
}
