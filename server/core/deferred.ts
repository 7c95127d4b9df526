/** Promises of chunks that are still being processed. */

/** A promise that is settled by a function call. */
export interface Deferred {
  readonly promise: Promise<void>;
  isOver(): boolean;
  resolve(): void;
  reject(error: Error): void;
}

export function deferred(): Deferred {
  let isOver = false;
  let fulfil = (): void => {};
  let refuse = (_: Error): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    fulfil = resolve;
    refuse = reject;
  });
  return {
    promise,
    isOver: () => isOver,
    resolve: () => {
      isOver = true;
      fulfil();
    },
    reject: (error) => {
      isOver = true;
      refuse(error);
    },
  };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** Settles the promise with the result of `run`, which returns undefined if its work is done. */
export function settleWith(done: Deferred, run: () => Promise<void> | undefined): void {
  try {
    const rest = run();
    if (rest === undefined) done.resolve();
    else
      rest.then(
        () => done.resolve(),
        (error: unknown) => done.reject(asError(error)),
      );
  } catch (error) {
    done.reject(asError(error));
  }
}

/** A chunk that is still being processed when the receiver returns. */
export interface Handling {
  /** Settles when the bytes are no longer used; undefined if they are already unused. */
  readonly released: Promise<void> | undefined;
  /** Rejects with the error of the chunk. */
  readonly done: Promise<void>;
}
