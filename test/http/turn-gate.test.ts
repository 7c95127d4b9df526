/** Bursts of requests are divided into turns of the event loop. */
import { expect, onTestFinished, test } from 'vitest';
import { createTurnGate } from '../../server/http/turn-gate.js';
import { turnMs } from '../../server/zarr/index.js';

/** A gate whose callers take a millisecond each, in several microtasks. */
function setting() {
  let [now, turn, isRunning] = [0, 0, true];
  const count = (): void => {
    turn += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  onTestFinished(() => void (isRunning = false));
  const gate = createTurnGate(() => now);
  /** The callers that continued, with their turns. */
  const continued: { readonly caller: number; readonly turn: number }[] = [];
  return {
    continued,
    async call(caller: number, step: 'start' | 'end' = 'start'): Promise<void> {
      const waiting = gate[step]();
      if (waiting !== undefined) await waiting;
      await Promise.resolve();
      now += 1;
      await Promise.resolve();
      continued.push({ caller, turn });
    },
  };
}

/** As between the callbacks of two sockets. */
const afterMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('callers continue at once until the turn has no time left, then the others in order', async () => {
  const { call, continued } = setting();
  const most = turnMs.shared;
  const callers = Array.from({ length: 3 * most }, (_, caller) => caller);
  const calls: Promise<void>[] = [];
  for (const caller of callers) {
    calls.push(call(caller));
    await afterMicrotasks();
  }
  expect(continued).toHaveLength(most);
  await Promise.all(calls);
  expect(continued).toEqual(callers.map((caller) => ({ caller, turn: Math.floor(caller / most) })));
});

test('responses precede requests that have not started', async () => {
  const { call, continued } = setting();
  const calls: Promise<void>[] = [];
  for (let caller = 0; caller < 12; caller++) {
    calls.push(call(caller, caller < 8 ? 'start' : 'end'));
    await afterMicrotasks();
  }
  await Promise.all(calls);
  expect(continued.map(({ caller }) => caller)).toEqual([0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7]);
});

test('a caller of a later turn continues behind those who wait, and at once if nobody does', async () => {
  const { call, continued } = setting();
  const calls: Promise<void>[] = [];
  for (let caller = 0; caller < 20; caller++) {
    calls.push(call(caller));
    await afterMicrotasks();
  }
  await new Promise<void>((resolve) => setImmediate(resolve));
  calls.push(call(20));
  await afterMicrotasks();
  expect(continued.at(-1)?.caller).toBeLessThan(20);
  await Promise.all(calls);
  expect(continued.map(({ caller }) => caller)).toEqual(Array.from({ length: 21 }, (_, caller) => caller));
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
  const free = call(21);
  await afterMicrotasks();
  expect(continued.at(-1)?.caller).toBe(21);
  await free;
});
