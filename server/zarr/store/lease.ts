/**
 * A lock between processes that share a store, made of conditional writes: an object that only its holder can have
 * put there, and that the holder writes anew from time to time. Whoever sees it unchanged for too long, by a clock of
 * its own, takes it over; the holder gives up some time before that could happen.
 */
import { createHash, randomBytes } from 'node:crypto';
import { ConflictError, isZarrError, throwIfAborted, ZarrError } from '../errors.js';
import { untilAborted } from './http/deadline.js';
import { joinKey, locksFolder } from './keys.js';
import { wait } from './retry.js';
import { get } from './store.js';
import type { HeldBody, KeyStore, WriteCondition } from './store.js';

export interface LeaseOptions {
  /** Its conditional writes hold against everybody. */
  readonly store: Pick<KeyStore, 'label' | 'can' | 'describe' | 'getMany' | 'set' | 'delete'>;
  /** How long to wait for others, in milliseconds. @default 60000 */
  readonly waitMs?: number;
  /** A lock that was not renewed for so long was left by a process that is dead or cut off. @default 30000 */
  readonly staleMs?: number;
}

export interface Lease {
  /**
   * Runs `body` while nobody else holds the lock of that name, in this or any other process.
   * @param body its signal fires also when the lock is lost, since this process or the network stood still
   * @throws ConflictError where others do not let go, and where the lock is lost; AbortedError; what `body` throws
   */
  hold<T>(name: string, body: HeldBody<T>, signal?: AbortSignal): Promise<T>;
}

interface Held {
  readonly key: string;
  version: string | undefined;
  /** When the write was begun that made it so, by this process's clock. */
  renewedAt: number;
}

const free = Buffer.from('free');
const maxRecordBytes = 1024;
const maxPauseMs = 1000;

export function createLease({ store, waitMs = 60_000, staleMs = 30_000 }: LeaseOptions): Lease {
  /** Whether the lock could be put under that condition. No two records are equal, so that no two versions are. */
  async function put(key: string, condition: WriteCondition): Promise<Held | undefined> {
    const renewedAt = performance.now();
    try {
      const { version } = await store.set(key, randomBytes(16), condition);
      return { key, version, renewedAt };
    } catch (error) {
      if (isZarrError(error, 'CONFLICT')) return undefined;
      throw error;
    }
  }

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<Held> {
    const deadline = performance.now() + waitMs;
    let seen: { readonly version: string | undefined; readonly since: number } | undefined;
    let held = await put(key, { ifAbsent: true });
    for (let attempt = 0; held === undefined; attempt++) {
      throwIfAborted(signal);
      const found = await get(store, key, { signal, maxBytes: maxRecordBytes, fresh: true });
      const now = performance.now();
      const isStale = seen !== undefined && seen.version === found?.version && now - seen.since > staleMs;
      if (found === undefined) held = await put(key, { ifAbsent: true });
      else if (isStale || free.equals(found.bytes)) held = await put(key, unchanged(found.version));
      else {
        if (seen?.version !== found.version) seen = { version: found.version, since: now };
        if (now > deadline)
          throw new ConflictError(`another process has been writing here for ${waitMs} ms; try again later`);
      }
      if (held === undefined) await wait(Math.random() * Math.min(maxPauseMs, 20 * 2 ** attempt), signal);
    }
    return held;
  }

  /** Where it fails, the lock goes stale. */
  async function release({ key, version }: Held): Promise<void> {
    if (version === undefined) return;
    try {
      await store.delete([key], { ifMatch: version });
    } catch (error) {
      // Not every server knows conditional deletions, and not everybody may delete.
      if (!isZarrError(error, 'CONFLICT')) await store.set(key, free, { ifMatch: version }).catch(() => {});
    }
  }

  return {
    async hold(name, body, signal) {
      const acquiring = acquire(keyOf(name), signal);
      const held = await untilAborted(signal, acquiring).catch((error: unknown) => {
        acquiring.then(release).catch(() => {});
        throw error;
      });
      const lost = new AbortController();
      let renewing: Promise<void> = Promise.resolve();
      const renew = async (): Promise<void> => {
        try {
          const next = await put(held.key, unchanged(held.version));
          if (next === undefined) lost.abort();
          else Object.assign(held, next);
        } catch {
          // The next beat tries again, as long as there is time.
        }
      };
      let isRenewing = false;
      // A process that stood still gets its answers before its timers.
      const loseIfLate = (): void => {
        if (performance.now() - held.renewedAt > (staleMs * 2) / 3) lost.abort();
      };
      const assertHeld = (): void => {
        loseIfLate();
        throwIfAborted(lost.signal);
      };
      const beat = setInterval(() => {
        loseIfLate();
        if (isRenewing || lost.signal.aborted) return;
        isRenewing = true;
        renewing = renew().finally(() => (isRenewing = false));
      }, staleMs / 6).unref();
      const watched = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
      try {
        const result = await body(watched, assertHeld);
        if (lost.signal.aborted) throw new Error('the lock was lost');
        return result;
      } catch (error) {
        if (!lost.signal.aborted || signal?.aborted === true) throw error;
        const conflict = new ConflictError(
          'another process may have come between, since this one stood still or the store did not answer; read it anew',
          { cause: error },
        );
        const written = error instanceof ZarrError ? error.written : undefined;
        throw written === undefined ? conflict : conflict.afterWriting(written);
      } finally {
        clearInterval(beat);
        await renewing;
        if (!lost.signal.aborted) await release(held);
      }
    },
  };
}

const unchanged = (version: string | undefined): WriteCondition =>
  version === undefined ? {} : { ifMatch: version };

function keyOf(name: string): string {
  return joinKey(locksFolder, createHash('sha256').update(name).digest('hex').slice(0, 32));
}
