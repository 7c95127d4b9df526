/**
 * A lock between processes that share a folder, also over a network. Whoever wants it puts a file with a name of its own
 * into a folder, then looks for others: alone it holds the lock, else it takes its file back and waits. Of two that come
 * together the one that was later to put its file sees the other, so that both can wait but never both hold it. Since
 * no two files share a name, what a dead process left can be removed without a race.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConflictError, throwIfAborted } from '../../errors.js';
import { wait } from '../retry.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';

export interface ProcessLockOptions {
  /** Where the files go; made when it is first needed. */
  readonly folder: string;
  /** How long to wait for others, in milliseconds. @default 60000 */
  readonly waitMs?: number;
  /** A file that nobody touched for so long was left by a process that is dead or cut off. @default 30000 */
  readonly staleMs?: number;
}

export interface ProcessLock {
  /**
   * Runs `body` while nobody else holds the lock of that name, in this or any other process.
   * @throws ConflictError where others do not let go; AbortedError; StoreDeniedError, StoreUnavailableError
   */
  hold<T>(name: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Removes the folder, if nobody uses it. */
  close(): Promise<void>;
}

/** A file's name has all there is to know: the lock's name (hashed), who wants it, and a random part. */
interface Claim {
  readonly file: string;
  readonly machine: string;
  readonly pid: number;
}

const maxPauseMs = 40;

export function createProcessLock(options: ProcessLockOptions): ProcessLock {
  const { folder, waitMs = 60_000, staleMs = 30_000 } = options;
  const watched = new Map<string, { readonly mtimeMs: number; readonly since: number }>();

  async function put(file: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await writeFile(join(folder, file), '', { flag: 'wx' });
      } catch (error) {
        // Somebody may remove the folder at the same moment.
        if (codeOf(error) !== 'ENOENT' || attempt > 5) throw error;
        await mkdir(folder, { recursive: true });
      }
    }
  }

  const remove = (file: string): Promise<void> =>
    unlink(join(folder, file)).catch((error: unknown) => {
      if (!meansAbsent(error)) throw error;
    });

  /** Whether somebody else holds it or is about to. */
  async function isTaken(lock: string, own: string): Promise<boolean> {
    for (const file of await readdir(folder)) {
      if (file === own || !file.startsWith(`${lock}.`)) continue;
      const claim = parseClaim(file);
      if (claim === undefined) continue;
      if (!(await isStale(claim))) return true;
      await remove(file);
      watched.delete(file);
    }
    return false;
  }

  async function isStale({ file, machine, pid }: Claim): Promise<boolean> {
    if (machine === thisMachine() && !isRunning(pid)) return true;
    let mtimeMs: number;
    try {
      ({ mtimeMs } = await stat(join(folder, file)));
    } catch (error) {
      if (meansAbsent(error)) return true;
      throw error;
    }
    // By this process's own clock: those of other machines may be wrong.
    const now = performance.now();
    const before = watched.get(file);
    if (before?.mtimeMs === mtimeMs) return now - before.since > staleMs;
    if (watched.size > 1000) watched.clear();
    watched.set(file, { mtimeMs, since: now });
    return false;
  }

  async function acquire(lock: string, signal: AbortSignal | undefined): Promise<string> {
    const deadline = performance.now() + waitMs;
    const file = claimFile(lock);
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal);
      await put(file);
      try {
        if (!(await isTaken(lock, file))) return file;
      } catch (error) {
        await remove(file);
        throw error;
      }
      await remove(file);
      if (performance.now() > deadline)
        throw new ConflictError(`another process has been writing here for ${waitMs} ms; try again later`);
      // Those that met must not meet again at the same moment.
      await wait(Math.random() * Math.min(maxPauseMs, 2 ** (attempt + 1)), signal);
    }
  }

  return {
    async hold(name, body, signal) {
      const lock = createHash('sha256').update(name).digest('hex').slice(0, 16);
      let file: string;
      try {
        file = await acquire(lock, signal);
      } catch (error) {
        throw storeFailure(error, 'lock');
      }
      const touch = (): void => {
        const now = new Date();
        utimes(join(folder, file), now, now).catch(() => {});
      };
      const beat = setInterval(touch, staleMs / 6).unref();
      try {
        return await body();
      } finally {
        clearInterval(beat);
        // A file that cannot be removed is not touched any more, and so goes stale.
        await remove(file).catch(() => {});
      }
    },
    async close() {
      await rmdir(folder).catch(() => {}); // absent, or in use
    },
  };
}

function claimFile(lock: string): string {
  return `${lock}.${thisMachine()}.${process.pid}.${randomBytes(6).toString('hex')}`;
}

function parseClaim(file: string): Claim | undefined {
  const [, machine, pid, , more] = file.split('.');
  if (machine === undefined || pid === undefined || more !== undefined) return undefined;
  return { file, machine, pid: Number(pid) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

let machine: string | undefined;

/** Where process numbers mean the same: this start of this machine, and within it this container. */
function thisMachine(): string {
  machine ??= createHash('sha256')
    .update(JSON.stringify([hostname(), bootId(), processSpace()]))
    .digest('hex')
    .slice(0, 12);
  return machine;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    return ''; // not on Linux
  }
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
