import { describe, expect, test } from 'vitest';
import { ConflictError } from '../../server/core/errors.js';
import { runRequests } from '../../server/store/run-requests.js';
import { createSemaphore } from '../../server/store/semaphore.js';
import type { ReadResult } from '../../server/store/store.js';

const resultOf = (text: string): ReadResult => ({ bytes: Buffer.from(text) });

/** Waits for enough turns of the event loop to complete every request of these tests. */
async function manyTurns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
}

/** Requests as text: "now..." is read immediately, "later..." in a separate turn; "...!" fails. */
function setUp(permits = 2) {
  const log: string[] = [];
  const semaphore = createSemaphore(permits);
  const read = (request: string): ReadResult => {
    log.push(`read ${request}`);
    if (request.endsWith('!')) throw new ConflictError(request);
    return resultOf(request);
  };
  const options = {
    permits: semaphore,
    width: permits,
    readNow: (request: string) => (request.startsWith('now') ? read(request) : ('elsewhere' as const)),
    readOne: async (request: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      return read(request);
    },
    release: () => log.push('done'),
    contextOf: (request: string) => ({ store: 's', key: request }),
  };
  const each = (index: number): void => void log.push(`each ${index}`);
  /** Throws if a permit was not released. */
  const assertFree = (): void => {
    for (let i = 0; i < permits; i++) expect(semaphore.acquire()).toBeUndefined();
  };
  return { log, options, each, assertFree };
}

describe('files that can be read now', () => {
  test('are confirmed after the last of them, and nothing more is read if that fails', async () => {
    const { log, options, each, assertFree } = setUp(1);
    const confirm = (): void => {
      log.push('confirm');
      throw new ConflictError('confirm');
    };
    const running = runRequests(['now a', 'later', 'now b'], each, { ...options, confirm });
    await expect(running).rejects.toThrow('confirm');
    await manyTurns();
    expect(log.filter((entry) => entry !== 'done')).toEqual([
      ...['read now a', 'each 0', 'read now b', 'each 2', 'confirm'],
    ]);
    assertFree();
  });
  test('are returned immediately and in order without a permit; the rest follows', async () => {
    const { log, options, each, assertFree } = setUp(1);
    expect(options.permits.acquire()).toBeUndefined();
    const running = runRequests(['now a', 'later', 'now b'], each, options);
    expect(log).toEqual(['read now a', 'each 0', 'done', 'read now b', 'each 2', 'done']);
    options.permits.release();
    await running;
    expect(log.slice(6)).toEqual(['read later', 'each 1', 'done']);
    assertFree();
  });

  test.each([
    [
      ['now a', 'now!', 'now b', 'later'],
      ['read now a', 'each 0', 'done', 'read now!'],
    ],
    [['later', 'now!', 'now b'], ['read now!']],
  ])('a failure among %j stops the rest and has its context', async (requests, expected) => {
    const { log, options, each, assertFree } = setUp();
    await expect(runRequests(requests, each, options)).rejects.toMatchObject({
      code: 'CONFLICT',
      where: { store: 's', key: 'now!' },
    });
    await manyTurns();
    expect(log).toEqual(expected);
    assertFree();
  });

  test('errors of `each` are thrown unchanged and stop the rest', async () => {
    const { log, options } = setUp();
    const failure = new Error('of the caller');
    const each = (): void => {
      throw failure;
    };
    await expect(runRequests(['later', 'now a', 'now b'], each, options)).rejects.toBe(failure);
    expect(log).toEqual(['read now a']);
  });

  test('cancelling inside `each` is ABORTED, and nothing more is read', async () => {
    const { log, options } = setUp();
    const cancel = new AbortController();
    const running = runRequests(['now a', 'now b', 'later'], () => cancel.abort(), {
      ...options,
      signal: cancel.signal,
    });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(log).toEqual(['read now a', 'done']);
  });
});

test('a failure cancels waiting requests that have not started', async () => {
  const { log, options, each, assertFree } = setUp(1);
  await expect(runRequests(['later a', 'later!', 'later b'], each, options)).rejects.toMatchObject({
    where: { key: 'later!' },
  });
  expect(log).toEqual(['read later a', 'each 0', 'done', 'read later!']);
  await manyTurns();
  expect(log).toHaveLength(4);
  assertFree();
});

describe('a receiver that stops early', () => {
  const waiting = (): { promise: Promise<void>; resolve: () => void } => {
    let resolve = (): void => {};
    const promise = new Promise<void>((fulfil) => (resolve = fulfil));
    return { promise, resolve };
  };

  test.each([['now'], ['later']])(
    'retains the memory of bytes read %s until the receiver is done',
    async (when) => {
      const { log, options, each, assertFree } = setUp(1);
      const first = waiting();
      const busy: (Promise<void> | undefined)[] = [first.promise];
      const taken = (): Promise<void> | undefined => busy.shift();
      const running = runRequests([`${when} a`, 'later b', 'later c'], each, { ...options, taken });
      await manyTurns();
      const before = [...log];
      expect(before.slice(0, 2)).toEqual([`read ${when} a`, 'each 0']);
      // The memory of the first response is still reserved.
      expect(before.filter((line) => line === 'done')).toHaveLength(when === 'now' ? 2 : 0);
      expect(before.length).toBe(when === 'now' ? 8 : 2);
      assertFree();
      options.permits.release();
      first.resolve();
      await running;
      expect(log.filter((line) => line === 'done')).toHaveLength(3);
    },
  );
});
