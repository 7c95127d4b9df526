/**
 * A lock between processes that share a folder, also over a network. A process creates a claim file with a
 * unique name, then lists the others: if it is alone, it holds the lock, otherwise it removes its file and
 * waits. Of two concurrent processes, the one that creates its file last sees the other, so both may wait but
 * never both hold the lock. Because file names are unique, files of dead processes can be removed without a
 * race.
 */
import { createHash } from 'node:crypto';
import { ConflictError, throwIfAborted } from '../../core/errors.js';
import { keepHeld, createKeyLock } from '../locks.js';
import { wait } from '../retries.js';
import type { LockedBody } from '../store.js';
import { meansAbsent, storeFailure } from './failure.js';
import { createClaimFolder, isAbandoned, type LockClaim, type ClaimFolderOptions } from './lock-claims.js';

export interface ProcessLockOptions extends ClaimFolderOptions {
  /** Maximum time to wait for other processes, in milliseconds. @default 60000 */
  readonly waitMs?: number;
  /** Age in milliseconds after which an unrefreshed claim counts as abandoned. @default 30000 */
  readonly staleMs?: number;
}

export interface ProcessLock {
  /**
   * Runs `body` while no other holder of this name exists, in this or any other process.
   * @throws ConflictError if the lock does not become free in time or was lost; AbortedError if the signal
   * fires; store errors
   */
  withLock<T>(name: string, body: LockedBody<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Like `withLock`, but joins the lock if this process already holds it, for a step of a longer operation.
   */
  join<T>(name: string, body: LockedBody<T>, signal?: AbortSignal): Promise<T>;
  /** Whether this process holds the lock of that name. */
  isHeld(name: string): boolean;
  /** Removes files of dead processes on this machine. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly assertHeld: () => void;
  /** Operations of this process that joined the lock. */
  readonly others: Set<Promise<unknown>>;
}

const MAX_PAUSE_MS = 40;
/**
 * Time without use, in milliseconds, after which the folder is removed, to hide it from programs that list
 * the store.
 */
const IDLE_MS = 1000;

export function createProcessLock(options: ProcessLockOptions): ProcessLock {
  const { waitMs = 60_000, staleMs = 30_000 } = options;
  const claims = createClaimFolder(options);
  const watched = new Map<string, { readonly touchedAt: number; readonly since: number }>();
  const own = createKeyLock();
  const held = new Map<string, Held>();
  let pruning: NodeJS.Timeout | undefined;

  /** Whether another process holds the lock or is about to hold it. */
  async function isTaken(lock: string, file: string): Promise<boolean> {
    for (const claim of await claims.list()) {
      if (claim.lock !== lock || claim.file === file) continue;
      if (!(await isStale(claim))) return true;
      await claims.remove(claim.file);
      watched.delete(claim.file);
    }
    return false;
  }

  async function isStale(claim: LockClaim): Promise<boolean> {
    if (isAbandoned(claim)) return true;
    const touchedAt = await claims.touchedAt(claim.file);
    if (touchedAt === undefined) return true;
    // The clock of this process is used, because clocks of other machines may be wrong.
    const now = performance.now();
    const before = watched.get(claim.file);
    if (before?.touchedAt === touchedAt) return now - before.since > staleMs;
    if (watched.size > 1000) watched.clear();
    watched.set(claim.file, { touchedAt, since: now });
    return false;
  }

  async function acquire(lock: string, signal: AbortSignal | undefined): Promise<string> {
    const deadline = performance.now() + waitMs;
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal);
      const file = await claims.put(lock);
      try {
        if (!(await isTaken(lock, file))) return file;
      } catch (error) {
        await claims.release(file);
        throw error;
      }
      await claims.release(file);
      if (performance.now() > deadline)
        throw new ConflictError(`another process has held the write lock for ${waitMs} ms; try again later`);
      // The delay is random, so that the same processes do not collide again.
      await wait(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** (attempt + 1)), signal);
    }
  }

  function pruneLater(): void {
    pruning ??= setTimeout(() => {
      pruning = undefined;
      if (held.size === 0) claims.prune().catch(() => {});
    }, IDLE_MS).unref();
  }

  async function lockNow<T>(name: string, body: LockedBody<T>, signal: AbortSignal | undefined): Promise<T> {
    const lock = createHash('sha256').update(name).digest('hex').slice(0, 16);
    let file: string;
    try {
      file = await acquire(lock, signal);
    } catch (error) {
      throw storeFailure(error, 'lock');
    }
    const renewal = { staleMs, renewedAt: performance.now(), renew: () => claims.touch(file) };
    try {
      return await keepHeld(
        renewal,
        (_, assertHeld) => runWithOthers(name, () => body(signal, assertHeld), assertHeld),
        () => signal?.aborted === true,
      );
    } finally {
      // A claim that cannot be removed becomes stale, because it is no longer touched.
      await claims.release(file).catch(() => {});
      pruneLater();
    }
  }

  /** Runs an operation, and resolves when the operations that joined the lock have ended too. */
  async function runWithOthers<T>(name: string, body: () => Promise<T>, assertHeld: () => void): Promise<T> {
    const mine: Held = { assertHeld, others: new Set() };
    held.set(name, mine);
    try {
      return await body();
    } finally {
      while (mine.others.size > 0) await Promise.allSettled(mine.others);
      held.delete(name);
    }
  }

  const withLock: ProcessLock['withLock'] = (name, body, signal) =>
    own.withLock(name, () => lockNow(name, body, signal));

  return {
    withLock,
    async join(name, body, signal) {
      const known = held.get(name);
      if (known === undefined) return withLock(name, body, signal);
      const running = body(signal, known.assertHeld);
      known.others.add(running);
      try {
        return await running;
      } finally {
        known.others.delete(running);
      }
    },
    isHeld: (name) => held.has(name),
    async sweep() {
      try {
        for (const claim of await claims.list()) if (isAbandoned(claim)) await claims.remove(claim.file);
      } catch (error) {
        if (!meansAbsent(error)) throw storeFailure(error, 'lock');
      }
      await claims.prune();
    },
    async close() {
      clearTimeout(pruning);
      await claims.prune();
    },
  };
}
