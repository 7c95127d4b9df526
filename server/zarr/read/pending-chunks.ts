/** Chunks that were passed on and are still being processed. */

/** A chunk that is still being processed when the receiver returns. */
export interface Handling {
  /** Settles when the bytes are no longer used; undefined if they are already unused. */
  readonly released: Promise<void> | undefined;
  /** Rejects with the chunk's error. */
  readonly done: Promise<void>;
}

/** The chunks of one attempt that are still being processed, and the first failure among them. */
export class PendingChunks {
  failure: { readonly error: unknown } | undefined;
  /** A partially read chunk has an unexpected length. */
  hasMisfit = false;
  readonly #handled: Promise<void>[] = [];
  /** The number of bytes passed on since the last call. */
  #held: Promise<void>[] = [];

  run(handle: () => Handling | undefined, located: (error: unknown) => unknown): void {
    const fail = (error: unknown): void => {
      this.failure ??= { error: located(error) };
    };
    try {
      const handling = handle();
      if (handling === undefined) return;
      this.#handled.push(handling.done.catch(fail));
      if (handling.released !== undefined) this.#held.push(handling.released);
    } catch (error) {
      fail(error);
    }
  }

  /** See `ReadOptions.taken`. */
  released(): Promise<void> | undefined {
    const held = this.#held;
    if (held.length === 0) return undefined;
    this.#held = [];
    return Promise.all(held).then(() => undefined);
  }

  async done(): Promise<void> {
    await Promise.all(this.#handled);
  }
}
