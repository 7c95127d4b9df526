/**
 * Memory for the values of responses. The server lends it to one request at a time and takes it back once the
 * response has been sent. This saves the page faults and the garbage collection of new memory.
 *
 * Lent memory still contains the values of another response, perhaps of another caller. A read must therefore
 * overwrite all of it, or fail. Memory that may still be in use is never taken back: after a failed read or
 * an incompletely sent response, it is left to the garbage collector.
 */
import { AbortedError, type BufferPool, createBufferPool } from '../zarr/index.js';

export interface LentResultsOptions {
  /**
   * Whether to overwrite memory before it is lent and after it is given back, and to lend small memory too,
   * for tests. @default false
   */
  readonly overwrites?: boolean;
}

/**
 * Results outside these sizes are not lent: smaller ones are cheap to allocate, larger ones are too rare to
 * keep.
 */
const MIN_BYTES = 2 ** 16;
const MAX_BYTES = 8 * 2 ** 20;
/** Maximum memory, in bytes, that is kept while it is not lent. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;

/** A byte that is rare in the values of arrays, so that tests notice memory that was not overwritten. */
const PATTERN = 0xa5;

export class LentResults {
  readonly #pool = createBufferPool({ maxKeptBytes: MAX_KEPT_BYTES });
  readonly #options: LentResultsOptions;

  constructor(options: LentResultsOptions = {}) {
    this.#options = options;
  }

  open(): ResultLoans {
    return new ResultLoans(this.#pool, this.#options);
  }
}

/** Memory lent to one request. */
export class ResultLoans {
  readonly #pool: BufferPool;
  readonly #overwrites: boolean;
  readonly #unused: Uint8Array[] = [];
  readonly #returned: Promise<void>;
  #end: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #isOver = false;

  constructor(pool: BufferPool, { overwrites = false }: LentResultsOptions) {
    this.#pool = pool;
    this.#overwrites = overwrites;
    this.#returned = new Promise((resolve, reject) => {
      this.#end = { resolve, reject };
    });
    // Most responses do not use memory of stores.
    this.#returned.catch(() => {});
  }

  /**
   * For memory that a store lends (`ReadOptions.taken`): resolves when the response has been sent. Rejects if it was not
   * sent completely, so that the store does not reuse the memory.
   */
  get returned(): Promise<void> {
    return this.#returned;
  }

  /**
   * Reads into lent memory.
   * @param read receives memory of that length with undefined contents; undefined after `giveBack`, or if the
   * result is too small or too large: `read` then allocates it
   */
  async lend<T>(length: number, read: (out: Uint8Array | undefined) => Promise<T>): Promise<T> {
    const minBytes = this.#overwrites ? 1 : MIN_BYTES;
    if (this.#isOver || length < minBytes || length > MAX_BYTES) return read(undefined);
    const out = this.#pool.acquire(length);
    if (this.#overwrites) out.fill(PATTERN);
    const result = await read(out);
    if (!this.#isOver) this.#unused.push(out);
    return result;
  }

  /**
   * Call this when the response has been sent and nothing refers to its values. Nothing is lent afterwards.
   */
  giveBack(): void {
    this.#isOver = true;
    for (const out of this.#unused.splice(0)) {
      if (this.#overwrites) out.fill(PATTERN);
      this.#pool.release(out);
    }
    this.#end?.resolve();
  }

  /** Call this when the response was not sent completely. Lent memory is then left to the garbage collector. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unused.length = 0;
    this.#end?.reject(new AbortedError('the response was not sent completely'));
  }
}
