/** Serialises operations by key within this process. */
export interface KeyLock {
  /** Runs `body` after all earlier calls with this key have ended, even if they failed. */
  withLock<T>(key: string, body: () => Promise<T>): Promise<T>;
}

export function createKeyLock(): KeyLock {
  const last = new Map<string, Promise<void>>();
  return {
    async withLock(key, body) {
      const before = last.get(key);
      let done = (): void => {};
      const mine = new Promise<void>((resolve) => (done = resolve));
      last.set(key, mine);
      try {
        await before;
        return await body();
      } finally {
        done();
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
