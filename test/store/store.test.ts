import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { get } from '../../server/store/define-reading.js';
import {
  assertKey,
  assertPrefix,
  compareCodePoints,
  isKey,
  joinKey,
  parentOf,
  sortByCodePoint,
} from '../../server/store/keys.js';
import { createMemoryStore } from '../../server/store/memory.js';
import { createBytePermits } from '../../server/store/byte-permits.js';
import { createSemaphore } from '../../server/store/semaphore.js';
import type { KeyStore, ReadRequest } from '../../server/store/store.js';
import { withCoalescing } from '../../server/store/with-coalescing.js';
import { withMetrics, type StoreCall } from '../../server/store/with-metrics.js';
import { wrapStore } from '../../server/store/wrap.js';
import { describeStore, text, type Contents } from '../contracts/store.js';

async function filled(contents: Contents): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'test' });
  for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
  return store;
}

const wrappers: Readonly<Record<string, (store: KeyStore) => KeyStore>> = {
  'with coalescing': (store) => withCoalescing(store, { maxGapBytes: 4, maxMergedBytes: 8 }),
  'with metrics': (store) => withMetrics(store, { ended: () => {} }),
  'with both': (store) =>
    withMetrics(withCoalescing(store, { maxGapBytes: 99, maxMergedBytes: 99 }), { ended: () => {} }),
};
for (const [name, wrap] of Object.entries(wrappers))
  describeStore(name, { open: async (contents) => wrap(await filled(contents)) });

describe('withCoalescing', () => {
  test('sends one request for nearby ranges and returns the parts', async () => {
    const base = await filled({ a: text('0123456789') });
    const sent: ReadRequest[] = [];
    const store = withCoalescing(
      wrapStore(base, {
        getMany: (requests, each, options) => {
          sent.push(...requests);
          return base.getMany(requests, each, options);
        },
      }),
      { maxGapBytes: 3, maxMergedBytes: 100 },
    );
    const parts: (string | undefined)[] = [];
    await store.getMany(
      [
        { key: 'a', range: { offset: 8, length: 9 } },
        { key: 'a', range: { offset: 1, length: 2 } },
        { key: 'a', range: { offset: 4, length: 2 } },
        { key: 'none', range: { offset: 0, length: 2 } },
        { key: 'none', range: { offset: 2, length: 2 } },
      ],
      (index, result) => {
        parts[index] = typeof result === 'object' ? new TextDecoder().decode(result.bytes) : result;
      },
    );
    expect(parts).toEqual(['89', '12', '45', undefined, undefined]);
    expect(sent.map(({ range }) => range)).toEqual([
      { offset: 1, length: 16 },
      { offset: 0, length: 4 },
    ]);
  });
});

describe('withMetrics', () => {
  test('reports every call with bytes and errors', async () => {
    const calls: StoreCall[] = [];
    const store = withMetrics(await filled({ a: text('abc') }), { ended: (call) => calls.push(call) });
    await store.getMany([{ key: 'a' }, { key: 'none' }, { key: 'a', range: { suffix: 1 } }], () => {});
    await store.set('b', text('12345'));
    await store.list('');
    await store.delete(['a', 'b']);
    await get(store, '..').catch(() => undefined);
    expect(
      calls.map(({ milliseconds, ...call }) => (expect(milliseconds).toBeGreaterThanOrEqual(0), call)),
    ).toEqual([
      { store: 'test', operation: 'read', requests: 3, bytes: 4, failure: undefined },
      { store: 'test', operation: 'write', requests: 1, bytes: 5, failure: undefined },
      { store: 'test', operation: 'list', requests: 1, bytes: 0, failure: undefined },
      { store: 'test', operation: 'delete', requests: 2, bytes: 0, failure: undefined },
      { store: 'test', operation: 'read', requests: 1, bytes: 0, failure: 'BAD_INPUT' },
    ]);
  });
});

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('functions wait until enough bytes are available, and proceed in order', async () => {
  const permits = createBytePermits(10);
  const order: string[] = [];
  const [first, second] = [gate(), gate()];
  const run = (name: string, bytes: number, until: Promise<void>) =>
    permits.withPermits(bytes, undefined, async () => {
      order.push(name);
      await until;
    });
  const all = [run('a', 6, first.opened), run('b', 6, second.opened), run('c', 1, first.opened)];
  await turn();
  expect(order).toEqual(['a']);
  first.open();
  await turn();
  expect(order).toEqual(['a', 'b', 'c']);
  second.open();
  await Promise.all(all);
});

test('callers of a semaphore that is never idle acquire permits in the order of their calls', async () => {
  const semaphore = createSemaphore(1);
  expect(semaphore.acquire()).toBeUndefined();
  const order: number[] = [];
  const acquire = async (i: number): Promise<void> => {
    await semaphore.acquire();
    order.push(i);
  };
  const waiting = Array.from({ length: 100 }, (_, i) => acquire(i));
  for (let i = 100; i < 500; i++) {
    semaphore.release();
    waiting.push(acquire(i));
  }
  for (let i = 400; i < 500; i++) semaphore.release();
  await Promise.all(waiting);
  expect(order).toEqual(Array.from({ length: 500 }, (_, i) => i));
  semaphore.release();
  expect(semaphore.tryAcquire()).toBe(true);
  expect(semaphore.tryAcquire()).toBe(false);
});

test('a function that needs more than all bytes runs, and releases them', async () => {
  const permits = createBytePermits(10);
  expect(await permits.withPermits(1000, undefined, async () => 'ran')).toBe('ran');
  expect(await permits.withPermits(10, undefined, async () => 'again')).toBe('again');
});

test('an aborted waiter leaves the queue, and the next one proceeds', async () => {
  const permits = createBytePermits(10);
  const { opened, open } = gate();
  const holding = permits.withPermits(8, undefined, () => opened);
  const controller = new AbortController();
  const waiting = permits.withPermits(8, controller.signal, async () => 'never');
  const small = permits.withPermits(2, undefined, async () => 'small');
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await small).toBe('small');
  await expect(permits.withPermits(8, controller.signal, async () => 'late')).rejects.toMatchObject({
    code: 'ABORTED',
  });
  open();
  await holding;
});

test('a holder that fails releases its bytes', async () => {
  const permits = createBytePermits(10);
  await expect(
    permits.withPermits(10, undefined, () => Promise.reject(new RangeError('no'))),
  ).rejects.toThrow('no');
  expect(await permits.withPermits(10, undefined, async () => 'ran')).toBe('ran');
});

describe('assertKey', () => {
  test.each([
    ['', 'empty'],
    ['/a', 'starts with a slash'],
    ['a/', 'ends with a slash'],
    ['a//b', 'empty part'],
    ['a/../b', 'part ".."'],
    ['.', 'part "."'],
    ['a\\b', 'backslash'],
    ['a\0', 'NUL'],
    ['\udc00', 'surrogate'],
  ])('%j is rejected, and the message states the problem', (key, problem) => {
    expect(() => assertKey(key)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
    expect(() => assertKey(key)).toThrow(problem);
  });
  test.each(['a', '.zarray', '...', '..a', 'a..', 'a/.b/c', ' ', '~', '\u{1f600}', 'a\nb'])(
    '%j is a key',
    (key) => {
      expect(() => assertKey(key)).not.toThrow();
    },
  );
  test('the root is a prefix, but not a key', () => {
    expect(() => assertPrefix('')).not.toThrow();
    expect(() => assertKey('')).toThrow('empty');
    expect(() => assertPrefix('a/')).toThrow('ends with a slash');
  });
  test('a key is valid if each of its parts is', () => {
    const piece = fc.constantFrom('', '.', '..', 'a', '...', '\\', '\0', 'é');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (parts) => {
        const isGood = parts.every((part) => !['', '.', '..', '\\', '\0'].includes(part));
        expect(isKey(parts.join('/'))).toBe(isGood);
      }),
    );
  });
});

test('keys are ordered by their UTF-8 bytes', () => {
  const names = fc.array(fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(names, (list) => {
      const expected = [...list].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...list].sort(compareCodePoints)).toEqual(expected);
      expect(sortByCodePoint([...list])).toEqual(expected);
    }),
  );
  expect(sortByCodePoint(['\u{1f600}', '\uff5e'])).toEqual(['\uff5e', '\u{1f600}']);
});

test('keys are divided into folder and name, and joined from them', () => {
  expect([parentOf('a/b/c'), parentOf('a'), joinKey('', 'a'), joinKey('a', 'b')]).toEqual([
    'a/b',
    '',
    'a',
    'a/b',
  ]);
});

describeStore('memory', {
  async open(contents) {
    const store = createMemoryStore({ label: 'test' });
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
});
