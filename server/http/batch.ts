/** Things that are dealt with some at a time: where each alone would cost more for cold code than for the work. */
export interface Batch<T> {
  add(item: T): void;
  /** Deals with what has been added since the last time. */
  flush(): void;
}

/** @param most items that wait at most */
export function createBatch<T>(most: number, deal: (item: T) => void): Batch<T> {
  let waiting: T[] = [];
  function flush(): void {
    const items = waiting;
    waiting = [];
    for (const item of items) deal(item);
  }
  return {
    add(item) {
      if (waiting.push(item) >= most) flush();
    },
    flush,
  };
}
