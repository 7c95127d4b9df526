/** Promises of chunks that are still being processed. */

/** A promise that is settled by a function call. */
export interface Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly isOver: () => boolean;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let isOver = false;
  let fulfil: (value: T) => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    fulfil = resolve;
    refuse = reject;
  });
  return {
    promise,
    isOver: () => isOver,
    resolve(value) {
      isOver = true;
      fulfil(value);
    },
    reject(error) {
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
