import { expect, test } from 'vitest';
import { movedResult } from '../../../server/format/codec/native-result.js';

const source = new Uint8Array(1);

test('a large result is moved to the destination, and its memory is freed', () => {
  const result = new Uint8Array(2 ** 20).fill(3);
  const into = new Uint8Array(2 ** 20);
  expect(movedResult(result, source, into)).toBe(into);
  expect(into.every((byte) => byte === 3)).toBe(true);
  expect(result.buffer.byteLength).toBe(0);
});

test('without a destination, it is moved to memory that does not overlap the input of the decoder', () => {
  const first = movedResult(new Uint8Array(2 ** 20).fill(1), source, undefined);
  const second = movedResult(new Uint8Array(2 ** 20).fill(2), first, undefined);
  expect(second.every((byte) => byte === 2)).toBe(true);
  expect(first.every((byte) => byte === 1)).toBe(true);
  // The next decode reuses the memory.
  expect(movedResult(new Uint8Array(2 ** 20), second, undefined).buffer).toBe(first.buffer);
});

test('a small result, which may share its memory, and a very large one are kept', () => {
  const pool = new Uint8Array(2 ** 17);
  const small = pool.subarray(0, 2 ** 16);
  expect(movedResult(small, source, undefined)).toBe(small);
  expect(pool.length).toBe(2 ** 17);
  const large = new Uint8Array(9 * 2 ** 20);
  expect(movedResult(large, source, undefined)).toBe(large);
  // A destination of another size is for another result.
  expect(movedResult(new Uint8Array(2 ** 20), source, new Uint8Array(5))).toHaveLength(2 ** 20);
});
