/** Reads that begin in one turn of the event loop and have the same inputs are not delayed by each other. */
import { expect, test } from 'vitest';
import { MemoryBudget, OperationMemory } from '../../server/memory/budget.js';

const MIB = 2 ** 20;

/** Runs reads at the same time, and returns how many of them had begun before the first ended. */
async function begunTogether(
  keys: readonly (string | undefined)[],
  { readBytes = 24 * MIB, maxRequestBytes = 1024 * MIB } = {},
): Promise<number> {
  const budget = new MemoryBudget({ maxBytes: 4 * maxRequestBytes, maxRequestBytes, waitMs: 1000 });
  const operation = new OperationMemory(budget.open('process'));
  let begun = 0;
  let together: number | undefined;
  await Promise.all(
    keys.map((joinKey) =>
      operation.hold(
        { resultBytes: 100, inFlightBytes: readBytes, joinKey },
        undefined,
        async () => {
          begun++;
          await new Promise(setImmediate);
          together ??= begun;
          return {};
        },
        () => 100,
      ),
    ),
  );
  expect(begun).toBe(keys.length);
  expect(budget.stats().heldBytes).toBe(100 * keys.length);
  return together ?? 0;
}

test('reads wait for the window unless they join another one', async () => {
  expect(await begunTogether([undefined, undefined, undefined])).toBe(1);
  expect(await begunTogether(['a', 'b', 'c'])).toBe(1);
  expect(await begunTogether(['a', 'a', 'a'])).toBe(3);
  expect(await begunTogether(['a', undefined, 'a', 'b'])).toBe(2);
});

test('reads join only within half of the memory of the request', async () => {
  expect(await begunTogether(['a', 'a', 'a', 'a'], { maxRequestBytes: 100 * MIB })).toBe(2);
});

test('reads do not join one that began in an earlier turn', async () => {
  const budget = new MemoryBudget({ maxBytes: 4096 * MIB, maxRequestBytes: 1024 * MIB, waitMs: 1000 });
  const operation = new OperationMemory(budget.open('process'));
  const need = { resultBytes: 0, inFlightBytes: 24 * MIB, joinKey: 'a' };
  const events: string[] = [];
  const read = (name: string): Promise<void> =>
    operation.hold(
      need,
      undefined,
      async () => {
        events.push(`begin ${name}`);
        for (let k = 0; k < 3; k++) await new Promise(setImmediate);
        events.push(`end ${name}`);
      },
      () => 0,
    );
  const first = read('first');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await Promise.all([first, read('second')]);
  expect(events).toEqual(['begin first', 'end first', 'begin second', 'end second']);
});
