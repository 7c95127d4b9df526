import { expect, test } from 'vitest';
import { createVersionMemory } from '../../../server/zarr/store/version-memory.js';

test('a version is trusted until it is too old, forgotten, or another one is known', () => {
  let now = 0;
  const memory = createVersionMemory(100, () => now);
  memory.remember('a', '1');
  expect([memory.isTrusted('a', '1'), memory.isTrusted('a', '2'), memory.isTrusted('b', '1')]).toEqual([
    true,
    false,
    false,
  ]);
  now = 99;
  expect(memory.isTrusted('a', '1')).toBe(true);
  now = 100;
  expect(memory.isTrusted('a', '1')).toBe(false);
  memory.remember('a', '2');
  expect([memory.isTrusted('a', '1'), memory.isTrusted('a', '2')]).toEqual([false, true]);
  memory.forget('a');
  expect(memory.isTrusted('a', '2')).toBe(false);
});

test('an age of 0 trusts nothing', () => {
  const memory = createVersionMemory(0);
  memory.remember('a', '1');
  expect(memory.isTrusted('a', '1')).toBe(false);
});

test('the oldest keys are forgotten', () => {
  const memory = createVersionMemory(1e9);
  for (let at = 0; at <= 20_000; at++) memory.remember(String(at), '1');
  expect([memory.isTrusted('0', '1'), memory.isTrusted('1', '1'), memory.isTrusted('20000', '1')]).toEqual([
    false,
    true,
    true,
  ]);
});
