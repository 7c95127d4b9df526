import { expect, test } from 'vitest';
import type { Sent } from '../../../server/store/http/exchange.js';
import { takeBody } from '../../../server/store/http/body.js';

/** A response whose body arrives in pieces. Each piece is overwritten when the next one arrives, if `isReused`. */
function sentIn(
  sizes: readonly number[],
  isReused = false,
): { readonly sent: Sent; readonly whole: Uint8Array } {
  const whole = new Uint8Array(sizes.reduce((a, b) => a + b, 0)).map((_, i) => (i * 7) % 251);
  let [k, at] = [0, 0];
  const memory = new Uint8Array(Math.max(0, ...sizes));
  const sent: Sent = {
    response: { status: 200, headers: new Headers() },
    nextPiece: async () => {
      const size = sizes[k++];
      if (size === undefined) return undefined;
      const piece = isReused ? memory.subarray(0, size) : new Uint8Array(size);
      piece.set(whole.subarray(at, at + size));
      at += size;
      return piece;
    },
    discard: () => undefined,
  };
  return { sent, whole };
}

const bounds = { expected: undefined, maxBytes: undefined };

test.for([
  { sizes: [] },
  { sizes: [5] },
  { sizes: [3, 0, 4] },
  { sizes: Array.from({ length: 100 }, (_, i) => 40_000 + i) },
  { sizes: [3_000_000, 1, 5_000_000, 2 ** 20] },
])('a body of unknown length in pieces of $sizes bytes arrives whole', async ({ sizes }) => {
  const { sent, whole } = sentIn(sizes);
  expect(await takeBody(sent, bounds)).toEqual(whole);
  const { sent: again } = sentIn(sizes);
  const known = { expected: whole.length, maxBytes: whole.length };
  expect(await takeBody(again, known)).toEqual(whole);
});

test('the pieces of a long body are copied when they arrive, so that their buffers can be freed', async () => {
  const { sent, whole } = sentIn(
    Array.from({ length: 4 }, () => 2 ** 21),
    true,
  );
  expect(await takeBody(sent, bounds)).toEqual(whole);
});

test('a body beyond the limit or the declared length is an error before it has arrived', async () => {
  const { sent } = sentIn([10, 10, 10]);
  await expect(takeBody(sent, { ...bounds, maxBytes: 15 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  const { sent: long } = sentIn([10, 10]);
  await expect(takeBody(long, { ...bounds, expected: 15 })).rejects.toThrow('it declared 15');
  const { sent: short } = sentIn([10]);
  await expect(takeBody(short, { ...bounds, expected: 15 })).rejects.toThrow('sent 10 bytes');
});
