/** Seeded pseudo-random numbers (mulberry32) and choices. */
export interface Random {
  /** 0 <= value < 1 */
  next(): number;
  /** A random integer; both ends are included. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  choose<T>(pool: readonly T[]): T;
  bytes(length: number): Uint8Array;
  shuffled<T>(items: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    choose(pool) {
      const item = pool[int(0, pool.length - 1)];
      if (item === undefined) throw new Error('cannot choose from an empty list');
      return item;
    },
    bytes: (length) => Uint8Array.from({ length }, () => int(0, 255)),
    shuffled(items) {
      const rest = [...items];
      for (let i = rest.length - 1; i > 0; i--) {
        const j = int(0, i);
        const [a, b] = [rest[i], rest[j]];
        if (a !== undefined && b !== undefined) [rest[i], rest[j]] = [b, a];
      }
      return rest;
    },
  };
}
