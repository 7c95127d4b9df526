/**
 * A lock between processes that share a store, based on conditional writes. The holder of the lock rewrites
 * an object periodically. If another process sees the object unchanged for too long by its own clock, it
 * takes over the lock. The holder counts the lock as lost some time before that.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ConflictError, isZarrError, throwIfAborted } from '../core/errors.js';
import { untilAborted, wait } from './retries.js';
import { linkSignals } from './deadline.js';
import { keepHeld } from './locks.js';
import { joinKey, LOCKS_FOLDER } from './keys.js';
import { unchangedSince } from './checks.js';
import { isDead, thisProcess } from './process-identity.js';
import { get } from './define-reading.js';
import type { LockedBody, KeyStore, WriteCondition } from './store.js';

interface LeaseOptions {
  /** The store of the lock. Its conditional writes must apply to all writers. */
  readonly store: Pick<KeyStore, 'label' | 'can' | 'describe' | 'getMany' | 'set' | 'delete'>;
  /** Maximum time to wait for other processes, in milliseconds. @default 60000 */
  readonly waitMs?: number;
  /** Age in milliseconds after which an unrenewed lock counts as abandoned. @default 30000 */
  readonly staleMs?: number;
}

interface Held {
  readonly key: string;
  version: string | undefined;
  /** Time at which the write that acquired or renewed the lock started, by the clock of this process. */
  renewedAt: number;
}

const free = Buffer.from('free');
/** Maximum time that `close` waits for holders, in milliseconds. */
const CLOSE_MS = 5000;
const MAX_RECORD_BYTES = 1024;
const MAX_PAUSE_MS = 1000;

export function createLease({ store, waitMs = 60_000, staleMs = 30_000 }: LeaseOptions) {
  /**
   * Writes a record of the lock. Records are unique, so that each has a different version.
   * @returns undefined if the condition is not met
   */
  async function put(key: string, condition: WriteCondition): Promise<Held | undefined> {
    const renewedAt = performance.now();
    try {
      const { version } = await store.set(key, newRecord(), condition);
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
      const record = await get(store, key, { signal, maxBytes: MAX_RECORD_BYTES, fresh: true });
      const now = performance.now();
      const isStale =
        (seen !== undefined && seen.version === record?.version && now - seen.since > staleMs) ||
        (record !== undefined && isAbandoned(record.bytes));
      if (record === undefined) held = await put(key, { ifAbsent: true });
      else if (isStale || free.equals(record.bytes)) held = await put(key, unchangedSince(record));
      else {
        if (seen?.version !== record.version) seen = { version: record.version, since: now };
        if (now > deadline)
          throw new ConflictError(
            `another process has held the write lock for ${waitMs} ms; try again later`,
          );
      }
      if (held === undefined) await wait(Math.random() * Math.min(MAX_PAUSE_MS, 20 * 2 ** attempt), signal);
    }
    return held;
  }

  /** Releases a lock. If that fails, the lock becomes stale. */
  async function release({ key, version }: Held): Promise<void> {
    if (version === undefined) return;
    try {
      await store.delete([key], { ifMatch: version });
    } catch (error) {
      // The error is ignored, because not all servers support conditional deletes, and not all callers may
      // delete.
      if (!isZarrError(error, 'CONFLICT')) await store.set(key, free, { ifMatch: version }).catch(() => {});
    }
  }

  /** Operations that `close` waits for. */
  const ending = new Set<Promise<unknown>>();
  function untilClosed<T>(work: Promise<T>): Promise<T> {
    ending.add(work);
    const end = (): void => void ending.delete(work);
    work.then(end, end).catch(() => {});
    return work;
  }

  return {
    /**
     * Runs `body` while no other holder of this name exists, in this or any other process.
     * @param body the function to run. Its signal also fires when the lock is lost, because this process or the
     * network was suspended
     * @throws ConflictError if the lock does not become free in time, or is lost; AbortedError if the signal
     * fires; errors from `body`
     */
    withLock: <T>(name: string, body: LockedBody<T>, signal?: AbortSignal): Promise<T> =>
      untilClosed(lockNow(name, body, signal)),
    /** Waits until all locks are released, for at most five seconds. */
    async close(): Promise<void> {
      const stopWaiting = new AbortController();
      const allEnded = Promise.allSettled(ending).then(() => stopWaiting.abort());
      await Promise.race([allEnded, wait(CLOSE_MS, stopWaiting.signal).catch(() => {})]);
    },
  };

  async function lockNow<T>(name: string, body: LockedBody<T>, signal: AbortSignal | undefined): Promise<T> {
    const acquiring = acquire(keyOf(name), signal);
    const held = await untilAborted(signal, acquiring).catch((error: unknown) => {
      untilClosed(acquiring.then(release)).catch(() => {});
      throw error;
    });
    const renewal = {
      staleMs,
      renewedAt: held.renewedAt,
      async renew() {
        const next = await put(held.key, unchangedSince(held));
        if (next !== undefined) Object.assign(held, next);
        return next !== undefined;
      },
    };
    let isLost = false;
    try {
      return await keepHeld(
        renewal,
        (lost, assertHeld) => {
          lost.addEventListener('abort', () => (isLost = true));
          const either = linkSignals(signal, lost);
          return body(either.signal, assertHeld).finally(() => either.unlink());
        },
        () => signal?.aborted === true,
      );
    } finally {
      if (!isLost) await release(held);
    }
  }
}

/**
 * Creates a record that identifies the holder, so that other processes on the same machine can take over
 * locks of dead processes immediately.
 */
function newRecord(): Uint8Array {
  const { machine, process } = thisProcess();
  return Buffer.from(`${machine} ${process} ${randomUUID()}`);
}

function isAbandoned(record: Uint8Array): boolean {
  const [machine = '', process = ''] = Buffer.from(record).toString('latin1').split(' ');
  return isDead({ machine, process }) === true;
}

function keyOf(name: string): string {
  return joinKey(LOCKS_FOLDER, createHash('sha256').update(name).digest('hex').slice(0, 32));
}
