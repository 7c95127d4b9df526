/** At most so many at a time, first come first served. */
export interface Semaphore {
  /** Resolves when a place is free (at once, without a turn of the event loop, where one is: `undefined`). */
  acquire(): Promise<void> | undefined;
  release(): void;
}

/** @param places how many may hold it at a time, at least 1 */
export function createSemaphore(places: number): Semaphore {
  let free = places;
  const waiting: (() => void)[] = [];
  let next = 0;
  return {
    acquire() {
      if (free > 0) {
        free--;
        return undefined;
      }
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const first = waiting[next];
      if (first === undefined) {
        free++;
        return;
      }
      next++;
      if (next === waiting.length) {
        waiting.length = 0;
        next = 0;
      }
      first();
    },
  };
}
