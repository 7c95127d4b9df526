/** What waits for one reader, up to a bound: whoever puts in never waits, and a reader that falls behind is told so. */

type Result<T> = IteratorResult<T, undefined>;

/** An async iterator that can be left at any time, also while it waits. */
export class WaitingLine<T> implements AsyncIterableIterator<T, undefined> {
  readonly #maxWaiting: number;
  readonly #waiting: T[] = [];
  #readers: ((result: Result<T> | Promise<Result<T>>) => void)[] = [];
  #end: { readonly failure?: Error } | undefined;
  #onEnd: () => void = () => {};

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Called once, when nothing more will be taken in: to let go of where it comes from. At once, if that is so already. */
  whenEnded(onEnd: () => void): void {
    if (this.#end === undefined) this.#onEnd = onEnd;
    else onEnd();
  }

  /** @returns false where there is no room; nothing is taken in then */
  put(value: T): boolean {
    if (this.#end !== undefined) return true;
    const reader = this.#readers.shift();
    if (reader !== undefined) reader({ value, done: false });
    else if (this.#waiting.length >= this.#maxWaiting) return false;
    else this.#waiting.push(value);
    return true;
  }

  /** No more will come; what waits is still read. */
  close(): void {
    this.#finish({});
  }

  /** What waits is thrown away, so that a reader who never comes costs nothing; one who does gets the failure. */
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
