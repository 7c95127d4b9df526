import { expect, test } from 'vitest';
import { MemoryBudget } from '../../server/memory/budget.js';
import { limitGarbage, limitStreamed } from '../../server/memory/limit-garbage.js';

const MiB = 2 ** 20;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function watched(resident: () => number) {
  const memory = new MemoryBudget({ maxBytes: 512 * MiB, maxRequestBytes: 256 * MiB, waitMs: 1000 });
  const collected: string[] = [];
  const options = { memoryBytes: 1000 * MiB, garbageBytes: 400 * MiB };
  limitGarbage(memory, options, ({ type }) => void collected.push(type), resident);
  const use = async (bytes: number): Promise<void> => {
    const request = memory.open('test');
    await request.take(bytes);
    request.end();
    await nextTurn();
  };
  return { use, collected };
}

test('garbage is collected after a part of it was released, and only if the process is large', async () => {
  let resident = 400 * MiB;
  const { use, collected } = watched(() => resident);
  await use(150 * MiB);
  expect(collected).toEqual([]);
  resident = 600 * MiB;
  await use(25 * MiB);
  expect(collected).toEqual([]);
  await use(25 * MiB);
  expect(collected).toEqual(['minor']);
  resident = 800 * MiB;
  await use(120 * MiB);
  expect(collected).toEqual(['minor', 'major']);
});

test('the collector of V8 frees array buffers', async () => {
  const memory = new MemoryBudget({ maxBytes: 512 * MiB, maxRequestBytes: 256 * MiB, waitMs: 1000 });
  limitGarbage(memory, { memoryBytes: 1, garbageBytes: 0 });
  const before = process.memoryUsage().arrayBuffers;
  // Not in a local variable, which could keep it alive.
  (() => new ArrayBuffer(64 * MiB).byteLength)();
  expect(process.memoryUsage().arrayBuffers).toBeGreaterThan(before + 60 * MiB);
  const request = memory.open('test');
  await request.take(20 * MiB);
  request.end();
  await expect.poll(() => process.memoryUsage().arrayBuffers).toBeLessThan(before + 10 * MiB);
});

test('young garbage is collected while a file is streamed, when the memory in use has grown', async () => {
  const memory = new MemoryBudget({ maxBytes: 512 * MiB, maxRequestBytes: 256 * MiB, waitMs: 1000 });
  const collected: string[] = [];
  let used = 50 * MiB;
  const collect = ({ type }: { readonly type: string }): void => {
    collected.push(type);
    used -= 5 * MiB;
  };
  limitStreamed(memory, collect, () => used);
  const request = memory.open('test');
  const pass = async (bytes: number): Promise<void> => {
    used += bytes;
    request.passed();
    await nextTurn();
  };
  await pass(7 * MiB);
  expect(collected).toEqual([]);
  await pass(2 * MiB);
  expect(collected).toEqual(['minor']);
  // It counts from what is left.
  await pass(7 * MiB);
  expect(collected).toEqual(['minor']);
  // V8 has collected by itself.
  used = 40 * MiB;
  await pass(0);
  await pass(7 * MiB);
  expect(collected).toEqual(['minor']);
  await pass(MiB);
  expect(collected).toEqual(['minor', 'minor']);
});
