/** Conditions for direct reads, and windows of tasks shared by threads. */
import { describe, expect, test } from 'vitest';
import {
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  type CodecPool,
  createCodecPool,
} from '../../../server/zarr/index.js';
import { chooseDirect } from '../../../server/chunks/read/direct/choose.js';
import { createWindow, openWindow } from '../../../server/threads/direct/window.js';
import { planRead } from '../../../server/format/plan/plan.js';

const mib = 2 ** 20;

/** A plan that reads 64 chunks, or the first `only` of them. */
async function planOf(codec: string, only?: number, chunkBytes = mib / 2) {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape: [64, chunkBytes],
    dtype: 'uint8',
    chunkShape: [1, chunkBytes],
    codecs: [{ name: 'bytes' }, ...(codec === 'raw' ? [] : [codec])],
  });
  const slice = array.select(
    only === undefined ? { kind: 'all' } : { kind: 'dims', dims: [{ kind: 'slice', stop: only }] },
  );
  return planRead(array.source().layout, array.meta.dtype, slice.selection);
}

describe('direct reads', () => {
  const pool: CodecPool = createCodecPool({ threads: 0 });

  test.each([
    ['zstd', undefined, { decodesHere: true, access: 'regions' }, 'threads'],
    ['zstd', undefined, { decodesHere: true, access: 'result' }, 'threads'],
    ['zstd', undefined, { decodesHere: false, access: 'regions' }, 'threads'],
    ['raw', undefined, { decodesHere: true, access: 'regions' }, 'serial'],
    ['raw', undefined, { decodesHere: true, access: 'result' }, 'threads'],
    ['raw', undefined, { decodesHere: false, access: 'regions' }, 'threads'],
    ['blosc', undefined, { decodesHere: true, access: 'regions' }, 'serial'],
    // A single chunk is decoded sooner than a thread is woken.
    ['zstd', 1, { decodesHere: true, access: 'result' }, 'serial'],
    ['zstd', 1, { decodesHere: false, access: 'result' }, undefined],
    ['raw', undefined, { decodesHere: true, access: 'partials' }, undefined],
    ['raw', undefined, { decodesHere: false, access: 'partials' }, 'threads'],
  ] as const)('%s, first %s chunks, %o: %s', async (codec, only, options, expected) => {
    expect(chooseDirect({ plan: await planOf(codec, only), pool, ...options })).toBe(expected);
  });

  test('of regions of a few small chunks run on this thread', async () => {
    const options = { plan: await planOf('zstd', 27, 2 ** 16), pool, decodesHere: true };
    expect(chooseDirect({ ...options, access: 'regions' })).toBe('serial');
    expect(chooseDirect({ ...options, access: 'result' })).toBe('threads');
  });

  test('leave cacheable chunks to the pipeline', async () => {
    const options = { plan: await planOf('zstd'), pool, decodesHere: false, access: 'regions' } as const;
    expect(chooseDirect({ ...options, cache: createChunkCache(256 * mib) })).toBeUndefined();
    expect(chooseDirect({ ...options, cache: createChunkCache(32 * mib) })).toBe('threads');
  });

  test('of small parts of raw chunks do not use threads', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      ...{ shape: [64, mib / 2], dtype: 'uint8', chunkShape: [1, mib / 2], codecs: [{ name: 'bytes' }] },
    });
    const chosen = (columns: number, decodesHere: boolean) => {
      const dims = [{ kind: 'slice' }, { kind: 'slice', stop: columns }] as const;
      const { selection } = array.select({ kind: 'dims', dims });
      const plan = planRead(array.source().layout, array.meta.dtype, selection);
      return chooseDirect({ plan, pool, decodesHere, access: 'regions' });
    };
    expect(chosen(mib / 16, false)).toBeUndefined();
    expect(chosen(mib / 16, true)).toBe('serial');
    expect(chosen(mib / 4, false)).toBe('threads');
    expect(chosen(mib / 4, true)).toBe('serial');
  });

  test('without a pool run on this thread, if it may decode', async () => {
    const options = { plan: await planOf('zstd'), access: 'regions', pool: undefined } as const;
    expect(chooseDirect({ ...options, decodesHere: false })).toBeUndefined();
    expect(chooseDirect({ ...options, decodesHere: true })).toBe('serial');
  });
});

// Coordination of threads through the shared memory of a window.

function twoTasks() {
  const chunk = { file: 0, offset: 0, length: undefined, crc: undefined, position: [0] };
  const files = { number: 0, files: ['a'], versions: [undefined], rank: 1 };
  const window = createWindow(files, [0, 1], [chunk, chunk]);
  return { window, thread: openWindow(window.shared) };
}

test('a window is over when all threads that joined have left', () => {
  const { window, thread } = twoTasks();
  expect(thread.join()).toBe(true);
  expect([thread.take(), window.take()]).toEqual([0, 1]);
  expect(window.isOver()).toBe(false);
  thread.leave(3, 500);
  expect(window.isOver()).toBe(true);
  expect(window.read()).toEqual({ requests: 3, bytes: 500 });
});

test('a thread that starts late does not join', () => {
  const { window, thread } = twoTasks();
  expect(window.isOver()).toBe(false);
  window.take();
  window.take();
  expect(window.isOver()).toBe(true);
  expect(thread.join()).toBe(false);
  expect(window.isOver()).toBe(true);
});

test('no thread joins a cancelled window', () => {
  const { window, thread } = twoTasks();
  window.cancel();
  expect(window.isOver()).toBe(true);
  expect(thread.join()).toBe(false);
});
