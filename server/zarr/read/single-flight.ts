/** Single flight: concurrent reads decode each chunk once; the others find it in the cache. */
import type { ArrayChunks, Claim } from './chunk-cache.js';
import type { ReadTask } from './plan.js';

/** Number of chunks to claim before yielding. */
const CLAIMED_AT_ONCE = 1024;

/**
 * Reads the unclaimed chunks first, then those that another read was decoding.
 * @param read decodes chunks; they must be in the cache when it resolves
 */
export async function inSingleFlight(
  cache: ArrayChunks,
  tasks: readonly ReadTask[],
  pause: () => Promise<void> | undefined,
  read: (tasks: readonly ReadTask[]) => Promise<void>,
): Promise<void> {
  const claims: Claim[] = [];
  const mine: ReadTask[] = [];
  const shared: ReadTask[] = [];
  try {
    for (let from = 0; from < tasks.length; from += CLAIMED_AT_ONCE) {
      const some = tasks.slice(from, from + CLAIMED_AT_ONCE);
      const claim = cache.claim(some.map(({ place }) => place));
      claims.push(claim);
      some.forEach((task, i) => (claim.isMine[i] === true ? mine : shared).push(task));
      // A read never waits for another one while it holds claims, so pauses between them cannot deadlock.
      await pause();
    }
    if (mine.length > 0) await read(mine);
  } finally {
    for (const claim of claims) claim.release();
  }
  if (shared.length === 0) return;
  await Promise.all(claims.map(({ others }) => others));
  await read(shared);
}
