/** The lock of a folder within one process. */
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createInlineBudget } from '../../../server/store/filesystem/inline-budget.js';
import {
  createProcessLock,
  type ProcessLock,
  type ProcessLockOptions,
} from '../../../server/store/filesystem/process-lock.js';
import { thisProcess } from '../../../server/store/process-identity.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

function lockIn(options: Omit<ProcessLockOptions, 'make' | 'budget'>): ProcessLock {
  const make = async (): Promise<void> => void (await mkdir(options.folder, { recursive: true }));
  return createProcessLock({ make, budget: createInlineBudget(), ...options });
}

/** The claim files in a folder of locks. Spare files claim nothing. */
const claimsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((file) => !file.startsWith('spare.'));

/**
 * Replaces `performance.now` by a clock that stops while this process is suspended. By the real clock, a lock expires
 * if a busy machine suspends the holder and the waiting caller, because both are in this process.
 */
function useRunningTime(): { advance(ms: number): void } {
  let now = 0;
  const ticking = setInterval(() => (now += 10), 10);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => {
    clearInterval(ticking);
    spy.mockRestore();
  });
  return { advance: (ms) => void (now += ms) };
}

describe('the lock', () => {
  let root = '';
  let folder = '';
  beforeEach(() => {
    root = folderOfTest('lock');
    folder = join(root, 'locks');
  });

  test('admits one holder per name at a time', async () => {
    const locks = [lockIn({ folder }), lockIn({ folder })];
    let inside = 0;
    let most = 0;
    const work = async (at: number): Promise<void> => {
      await locks[at % 2]?.withLock('name', async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      });
    };
    await Promise.all(Array.from({ length: 12 }, (_, at) => work(at)));
    expect(most).toBe(1);
    const other = await locks[0]?.withLock('name', async () =>
      locks[1]?.withLock('other', async () => 'both'),
    );
    expect(other).toBe('both');
    expect(await claimsIn(folder)).toEqual([]);
  });

  test('reuses its files, which others ignore, and removes them when it is closed', async () => {
    const [lock, other] = [lockIn({ folder }), lockIn({ folder })];
    await lock.withLock('a', async () => {});
    const [spare = ''] = await readdir(folder);
    await lock.withLock('b', async () => {
      const [claim = ''] = await readdir(folder);
      expect(claim).not.toBe(spare);
      expect(await readdir(folder)).toHaveLength(1);
    });
    await expect(other.withLock('b', async () => 'held')).resolves.toBe('held');
    // A deleted folder is recreated.
    await rm(folder, { recursive: true });
    await lock.withLock('a', async () => expect(await claimsIn(folder)).toHaveLength(1));
    await Promise.all([lock.close(), other.close()]);
    expect(await readdir(root)).not.toContain('locks');
  });

  test('waits no longer than specified and leaves nothing behind', async () => {
    const lock = lockIn({ folder, waitMs: 30 });
    await lock.withLock('name', async () => {
      await expect(lockIn({ folder, waitMs: 30 }).withLock('name', async () => 1)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await claimsIn(folder)).toHaveLength(1);
    });
    await expect(lock.withLock('name', () => Promise.reject(new TypeError('mine')))).rejects.toThrow('mine');
    expect(await claimsIn(folder)).toEqual([]);
  });

  test('of a dead process is released immediately, even if its process id was reused', async () => {
    const { machine } = thisProcess();
    await mkdir(folder);
    const lock = lockIn({ folder, waitMs: 2000 });
    let mine = '';
    await lock.withLock('name', async () => void ([mine = ''] = await readdir(folder)));
    const [name] = mine.split('.');
    const dead = ['4194999-1', `${process.pid}-1`];
    for (const [i, owner] of dead.entries())
      await writeFile(join(folder, `${name}.${machine}.${owner}.${i}`), '');
    expect(await lock.withLock('name', async () => 'held')).toBe('held');
    await writeFile(join(folder, `0000.${machine}.${dead[0]}.x`), '');
    await writeFile(join(folder, `0000.${machine}.${thisProcess().process}.x`), '');
    await lock.sweep();
    expect(await readdir(folder)).toEqual([`0000.${machine}.${thisProcess().process}.x`]);
  });

  test('is lost before the next write if it could not be renewed', async () => {
    const clock = useRunningTime();
    const lock = lockIn({ folder, staleMs: 90 });
    const standing = lock.withLock('name', async (_, assertHeld) => {
      expect(assertHeld).not.toThrow();
      clock.advance(70);
      assertHeld?.();
    });
    await expect(standing).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is retained until joined requests end', async () => {
    const [lock, other] = [lockIn({ folder }), lockIn({ folder })];
    const order: string[] = [];
    let end = (): void => {};
    const joined = new Promise<void>((resolve) => (end = resolve));
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const holding = lock.withLock('name', async () => {
      begin();
      lock
        .join('name', async () => {
          await joined;
          order.push('joined');
        })
        .catch(() => {});
    });
    await begun;
    const next = other.withLock('name', async () => void order.push('next'));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    await Promise.all([holding, next]);
    expect(order).toEqual(['joined', 'next']);
  });

  test('a link instead of its folder is rejected', async () => {
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), folder);
    await expect(lockIn({ folder }).withLock('name', async () => 1)).rejects.toMatchObject({
      code: 'STORE_DENIED',
    });
    expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  });

  test('of another machine expires when it is not renewed, independent of its clock', async () => {
    useRunningTime();
    const lock = lockIn({ folder, waitMs: 10_000, staleMs: 300 });
    await lock.withLock('name', async () => {});
    let mine = '';
    await lock.withLock('name', async () => void ([mine = ''] = await readdir(folder)));
    const theirs = join(folder, mine.replace(/\.[^.]*\./, '.000000000000.'));
    await mkdir(folder, { recursive: true });
    await writeFile(theirs, '');
    const future = new Date(Date.now() + 3_600_000);
    await utimes(theirs, future, future);
    let touched = 0;
    const touching = setInterval(() => {
      touched++;
      const next = new Date(future.getTime() + touched * 1000);
      utimes(theirs, next, next).catch(() => {});
      if (touched === 20) clearInterval(touching);
    }, 40);
    let isHeld = false;
    const holding = lock.withLock('name', async () => void (isHeld = true));
    await expect.poll(() => touched).toBeGreaterThanOrEqual(19);
    expect(isHeld).toBe(false);
    await holding;
    expect(await claimsIn(folder)).toEqual([]);
  });

  test('is renewed while it is held', async () => {
    useRunningTime();
    // Long enough for a busy machine to renew the lock in time.
    const staleMs = 1000;
    const [mine, theirs] = [1, 2].map(() => lockIn({ folder, staleMs, waitMs: 15_000 }));
    let isOver = false;
    let held: Promise<void> | undefined;
    await new Promise<void>((isHeld) => {
      held = mine?.withLock('name', async () => {
        isHeld();
        const [name = ''] = await readdir(folder);
        const touched = async (): Promise<number> => (await stat(join(folder, name))).mtimeMs;
        const first = await touched();
        // Longer than the lock is valid without renewal.
        await expect.poll(touched).toBeGreaterThan(first + staleMs + 100);
        isOver = true;
      });
    });
    await theirs?.withLock('name', async () => expect(isOver).toBe(true));
    await held;
  });
});
