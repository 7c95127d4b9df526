/** Chunks that were handed on and are still being handled. */

/** A chunk that is still being handled when the receiver returns. */
export interface Handling {
  /** Settles when the bytes handed on are no longer used; undefined: they are not. */
  readonly released: Promise<void> | undefined;
  /** Rejects with what went wrong with the chunk. */
  readonly done: Promise<void>;
}

/** The chunks of one attempt that are still being handled, and the first failure among them. */
export class PendingChunks {
  failure: { readonly error: unknown } | undefined;
  /** A chunk of which a part was read has another length than it must. */
  hasMisfit = false;
  readonly #handled: Promise<void>[] = [];
  /** Of the bytes handed on since this was last asked for. */
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
