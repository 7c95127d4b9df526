/** A lock between test processes. */
import { mkdir, rm, rmdir, stat } from 'node:fs/promises';

/**
 * Runs in one process at a time: creating the folder `lock` acquires the lock. A folder older than `oldMs`
 * was left by a dead process, so it is removed.
 */
export async function withLock(lock: string, oldMs: number, body: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const made = await stat(lock).catch(() => undefined);
      if (made !== undefined && Date.now() - made.mtimeMs > oldMs)
        await rm(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    await body();
  } finally {
    await rmdir(lock);
  }
}
