/**
 * Duration of fuzzers: a few seconds each in `npm test`, or ZARRQL_FUZZ_SECONDS. The inputs depend only on
 * ZARRQL_SEED and the number of the round. A failure reports both, so it can be reproduced.
 */
import { isZarrError } from '../../server/zarr/index.js';
import { createRandom, type Random } from '../interop/random.js';

export const seed = Number(process.env['ZARRQL_SEED'] ?? 1);
const seconds = Number(process.env['ZARRQL_FUZZ_SECONDS'] ?? 3);
/** If set, only this round runs. */
const only = process.env['ZARRQL_FUZZ_ROUND'];

/** Test timeout for vitest, to detect hangs. */
export const fuzzTimeout = (seconds + 60) * 1000;

/** Allowed memory growth: WASM memory and uncollected garbage. */
const maxGrowth = 400 * 2 ** 20;

/** @param round one attempt; an error fails the test with the seed and the number of the round */
export async function fuzz(round: (random: Random, n: number) => Promise<void> | void): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const before = process.memoryUsage().rss;
  const first = only === undefined ? 0 : Number(only);
  let n = first;
  for (; n - first < 100 || performance.now() < end; n++) {
    try {
      await round(createRandom(Math.imul(seed, 7_368_787) + n), n);
    } catch (error) {
      throw new Error(
        `round ${n} of seed ${seed} (ZARRQL_SEED=${seed} ZARRQL_FUZZ_ROUND=${n}): ${String(error)}`,
        {
          cause: error,
        },
      );
    }
    if (process.memoryUsage.rss() - before > maxGrowth)
      throw new Error(
        `round ${n} of seed ${seed}: memory use grew by ${process.memoryUsage.rss() - before} bytes`,
      );
    if (only !== undefined) return 1;
  }
  return n - first;
}

/** The result, or undefined for an engine error. */
export async function attempt<T>(run: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isZarrError(error)) return undefined;
    throw error;
  }
}
