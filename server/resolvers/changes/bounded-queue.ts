/**
 * A queue with a limit for one reader. Writers never wait; `put` returns false when the reader has fallen behind.
 */

type Result<T> = IteratorResult<T, undefined>;

/** An async iterator that can be ended at any time, even while `next` waits. */
export class BoundedQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #maxWaiting: number;
  readonly #waiting: T[] = [];
  #readers: ((result: Result<T> | Promise<Result<T>>) => void)[] = [];
  #end: { readonly failure?: Error } | undefined;
  #onEnd: () => void = () => {};

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Calls `onEnd` once when the queue no longer accepts values, or immediately if it has ended. */
  whenEnded(onEnd: () => void): void {
    if (this.#end === undefined) this.#onEnd = onEnd;
    else onEnd();
  }

  /** @returns false if the queue is full: the value is dropped */
  put(value: T): boolean {
    if (this.#end !== undefined) return true;
    const reader = this.#readers.shift();
    if (reader !== undefined) reader({ value, done: false });
    else if (this.#waiting.length >= this.#maxWaiting) return false;
    else this.#waiting.push(value);
    return true;
  }

  /** Ends the queue after the values that are already in it. */
  close(): void {
    this.#finish({});
  }

  /**
   * Drops the values in the queue, which frees memory if the reader has stopped reading. The next read
   * fails.
   */
  fail(failure: Error): void {
    if (this.#end !== undefined) return;
    this.#waiting.length = 0;
    this.#finish({ failure });
  }

  next(): Promise<Result<T>> {
    for (const value of this.#waiting.splice(0, 1)) return Promise.resolve({ value, done: false });
    if (this.#end === undefined) return new Promise((resolve) => this.#readers.push(resolve));
    const { failure } = this.#end;
    if (failure === undefined) return Promise.resolve({ value: undefined, done: true });
    this.#end = {};
    return Promise.reject(failure);
  }

  return(): Promise<Result<T>> {
    this.#waiting.length = 0;
    this.#finish({});
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(end: { readonly failure?: Error }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const readers = this.#readers;
    this.#readers = [];
    for (const reader of readers) reader(this.next());
    this.#onEnd();
  }
}
