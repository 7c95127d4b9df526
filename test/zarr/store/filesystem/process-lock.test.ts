import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { toTypedArray } from '../../../../server/zarr/dtype/arrays.js';
import { openHierarchy } from '../../../../server/zarr/hierarchy.js';
import { createFilesystemStore } from '../../../../server/zarr/store/filesystem.js';
import { createInlineBudget } from '../../../../server/zarr/store/filesystem/inline-budget.js';
import {
  createProcessLock,
  type ProcessLock,
  type ProcessLockOptions,
} from '../../../../server/zarr/store/filesystem/process-lock.js';
import { thisProcess } from '../../../../server/zarr/store/process-identity.js';
import { get } from '../../../../server/zarr/store/get-object.js';
import type { KeyStore } from '../../../../server/zarr/store/store.js';
import { withCache } from '../../../../server/zarr/store/with-cache.js';
import { withMetrics } from '../../../../server/zarr/store/with-metrics.js';
import { describeStore, text } from '../../../contracts/store.js';
import { collect } from '../../../contracts/store-content.js';

const program = fileURLToPath(new URL('lock-process.ts', import.meta.url));
const all = { kind: 'all' } as const;
let root = '';
const locked = (): KeyStore => createFilesystemStore({ label: 'test', root, lock: true });

function lockIn(options: Omit<ProcessLockOptions, 'make' | 'budget'>): ProcessLock {
  const make = async (): Promise<void> => void (await mkdir(options.folder, { recursive: true }));
  return createProcessLock({ make, budget: createInlineBudget(), ...options });
}

async function makeRoot(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'zarrql-lock-'));
}
const clear = (): Promise<void> => rm(root, { recursive: true, force: true });

describeStore('filesystem with a lock', {
  async open(contents) {
    await makeRoot();
    const store = locked();
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
  close: clear,
});

/** The claim files of a lock; other files are unused. */
const claimsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((file) => !file.startsWith('spare.'));

function run(...args: string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', program, root, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function endOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return output;
}

describe('between processes', () => {
  beforeEach(makeRoot);
  afterEach(clear);

  test('concurrent writes to parts of one chunk are all preserved', async () => {
    const hierarchy = openHierarchy(locked());
    await hierarchy.createArray('/parts', { shape: [400], dtype: 'int32', chunkShape: [400] });
    await Promise.all([endOf(run('parts', '0', '400')), endOf(run('parts', '1', '400'))]);
    const read = await (await hierarchy.array('/parts')).select(all).read();
    expect([...toTypedArray(read)]).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
  });

  test('values appended during a concurrent truncation are preserved', async () => {
    const hierarchy = openHierarchy(locked());
    const length = 600;
    const array = await hierarchy.createArray('/grown', { shape: [length], dtype: 'int32', chunkShape: [1] });
    await array.select(all).write(new Int32Array(length).fill(-1));
    const appending = run('append', '15');
    const output = endOf(appending);
    if (appending.stdout !== null) await once(appending.stdout, 'data');
    await endOf(run('shrink', '10'));
    const read = toTypedArray(await (await hierarchy.array('/grown')).select(all).read());
    const places = (await output).split('\n').filter((line) => / /.test(line));
    const after = toTypedArray(await (await hierarchy.array('/grown')).select(all).read());
    expect(read.length).toBeGreaterThanOrEqual(10);
    expect(places).toHaveLength(15);
    for (const place of places) {
      const [start = 0, value = 0] = place.split(' ').map(Number);
      expect({ start, value: after[start] }).toEqual({ start, value });
    }
  });

  test('the lock of a killed process is released immediately', async () => {
    const child = run('die', 'name');
    if (child.stdout !== null) await once(child.stdout, 'data');
    const store = locked();
    const signal = AbortSignal.timeout(300);
    await expect(store.withLock?.('name', async () => 1, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await store.withLock?.('name', async () => 1)).toBe(1);
  });

  test('conditions apply to writes by other stores in the same folder', async () => {
    const stores = [locked(), locked(), locked()];
    const { version = '' } = (await stores[0]?.set('a', text('first'))) ?? {};
    for (const store of stores) expect(store.can.conditionalWrite).toBe(true);
    const results = await Promise.allSettled(
      stores.map((store, at) => store.set('a', text(`${at}`), { ifMatch: version })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('lock files are not part of the store', async () => {
    const store = locked();
    await store.withLock?.('x', async () => {
      await store.set('a', text('a'));
      expect(await store.list('')).toEqual({ keys: ['a'], folders: [] });
      expect(await collect(store.walk(''))).toEqual([{ key: 'a', bytes: 1 }]);
      const [file = ''] = await readdir(join(root, '.zarrql-locks'));
      expect(await get(store, `.zarrql-locks/${file}`)).toBeUndefined();
      await expect(store.set('.zarrql-locks/x', text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
    });
    await store.close();
    expect(await readdir(root)).toEqual(['a']);
  });

  test('a write without the lock is detected and preserved', async () => {
    const noticed: string[] = [];
    const store = createFilesystemStore({ label: 'test', root, onForeignWrite: (key) => noticed.push(key) });
    await openHierarchy(store).createArray('/', {
      shape: [4],
      dtype: 'int8',
      chunkShape: [4],
      codecs: ['bytes'],
    });
    let isFirst = true;
    const meddling: KeyStore = {
      ...store,
      async set(key, ...rest) {
        if (isFirst) await writeFile(join(root, key), Uint8Array.of(1, 2, 3, 4));
        isFirst = false;
        return store.set(key, ...rest);
      },
    };
    await mkdir(join(root, 'c'));
    await writeFile(join(root, 'c/0'), Uint8Array.of(9, 9, 9, 9));
    const array = await openHierarchy(meddling).array('/');
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 1 }] }).write([7]);
    expect([...((await get(store, 'c/0'))?.bytes ?? [])]).toEqual([7, 2, 3, 4]);
    expect(noticed).toEqual(['c/0']);
  });

  test('wrappers pass the lock through', async () => {
    const wrapped = withCache(withMetrics(locked(), { ended: () => {} }), { maxBytes: 0, maxAgeMs: 1 });
    const inside = wrapped.withLock?.('x', async () => {
      const signal = AbortSignal.timeout(100);
      await expect(locked().withLock?.('x', async () => {}, { signal })).rejects.toMatchObject({
        code: 'ABORTED',
      });
      return 'held';
    });
    expect(await inside).toBe('held');
  });

  test('the lock is on by default, and not used for reading', () => {
    expect(createFilesystemStore({ label: 'test', root }).can.conditionalWrite).toBe(true);
    expect(createFilesystemStore({ label: 'test', root, readonly: true }).withLock).toBeUndefined();
    const store = createFilesystemStore({ label: 'test', root, lock: false });
    expect(store.withLock).toBeUndefined();
    expect(store.can.conditionalWrite).toBe(false);
  });
});

describe('the lock', () => {
  let folder = '';
  beforeEach(async () => {
    await makeRoot();
    folder = join(root, 'locks');
  });
  afterEach(clear);

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
    const folder = join(root, 'locks');
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

  test('of a dead process is taken over immediately, even if its process id was reused', async () => {
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
    const lock = lockIn({ folder, staleMs: 90 });
    const standing = lock.withLock('name', async (_, assertHeld) => {
      expect(assertHeld).not.toThrow();
      const until = performance.now() + 70;
      while (performance.now() < until);
      assertHeld?.();
    });
    await expect(standing).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is retained until joined requests end, and counted once', async () => {
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

  test('of another machine expires when it is not renewed, whatever its clock', async () => {
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

  test('is kept alive while it is held', async () => {
    const [mine, theirs] = [120, 120].map((staleMs) => lockIn({ folder, staleMs, waitMs: 5000 }));
    let isOver = false;
    let held: Promise<void> | undefined;
    await new Promise<void>((isHeld) => {
      held = mine?.withLock('name', async () => {
        isHeld();
        const [name = ''] = await readdir(folder);
        const touched = async (): Promise<number> => (await stat(join(folder, name))).mtimeMs;
        const first = await touched();
        // Longer than the lock is valid without renewal.
        await expect.poll(touched).toBeGreaterThan(first + 400);
        isOver = true;
      });
    });
    await theirs?.withLock('name', async () => expect(isOver).toBe(true));
    await held;
  });
});
