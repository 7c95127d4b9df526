import { afterEach, expect, test, vi } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPause, runLater, runNow } from '../../server/core/turns.js';
import { createMemoryStore, dataOf, defaultLimits, openHierarchy } from '../../server/zarr/index.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('work beyond a turn yields to the event loop, and keeps its order', async () => {
  // A clock that advances only with the work, so that the result does not depend on the speed of the
  // machine.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const order: string[] = [];
  const done = new Promise<void>((resolve) => {
    for (let i = 0; i < 5; i++) {
      const work = () => {
        now += 5;
        order.push(`work ${i}`);
        if (i === 4) resolve();
      };
      if (!runNow(work)) runLater(work);
    }
  });
  setImmediate(() => order.push('other'));
  await done;
  expect(order.filter((entry) => entry !== 'other')).toEqual([
    'work 0',
    'work 1',
    'work 2',
    'work 3',
    'work 4',
  ]);
  expect(order.indexOf('other')).toBeGreaterThan(0);
  expect(order.indexOf('other')).toBeLessThan(3);
});

test('of many loops with pauses, each turn resumes one', async () => {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const order: string[] = [];
  let isOver = false;
  const other = (): void => {
    order.push('other');
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const loops = Array.from({ length: 8 }, async (_, i) => {
    const pause = createPause();
    for (let step = 0; step < 3; step++) {
      now += 5;
      order.push(`loop ${i}`);
      await pause();
    }
  });
  await Promise.all(loops);
  isOver = true;
  expect(order.filter((entry) => entry !== 'other')).toHaveLength(24);
  // The first step of each loop runs before the first turn.
  const resumed = order.slice(8).join(' ');
  expect(resumed).not.toMatch(/loop \d loop \d/);
});

test('a read of many inner chunks of one shard yields to other work', async () => {
  const store = createMemoryStore({ label: 'm' });
  const json = {
    zarr_format: 3,
    node_type: 'array',
    shape: [50_000],
    data_type: 'int8',
    fill_value: 7,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [50_000] } },
    chunk_key_encoding: { name: 'default' },
    codecs: [
      {
        name: 'sharding_indexed',
        configuration: {
          chunk_shape: [1],
          codecs: ['bytes'],
          index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
        },
      },
    ],
  };
  await store.set('zarr.json', Buffer.from(JSON.stringify(json)));
  const array = await openHierarchy(store).array('/');
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const block = await array.select({ kind: 'all' }).read({ limits: { ...defaultLimits, maxChunks: 50_000 } });
  isOver = true;
  expect(dataOf(block, 'int8').every((value) => value === 7)).toBe(true);
  expect(turns).toBeGreaterThan(3);
});

test('an error in one piece of work does not stop the others', async () => {
  // Lets the turns of earlier tests end.
  for (let i = 0; i < 5; i++) await nextTurn();
  const turns: (() => void)[] = [];
  const immediate = setImmediate(() => undefined);
  vi.spyOn(globalThis, 'setImmediate').mockImplementation((work) => {
    turns.push(work);
    return immediate;
  });
  const runTurns = (): void => {
    while (turns.length > 0) turns.shift()?.();
  };
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pause = createPause();
  now = 10;
  const paused = pause();
  const order: string[] = [];
  runLater(() => {
    throw new Error('broken');
  });
  runLater(() => order.push('second'));
  expect(() => turns.shift()?.()).toThrow('broken');
  expect(turns).toHaveLength(1);
  await paused;
  runTurns();
  expect(order).toEqual(['second']);
  expect(runNow(() => order.push('third'))).toBe(true);
  runTurns();
});
