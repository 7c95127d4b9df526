import { expect, test } from 'vitest';
import { isSorted } from '../../../server/analysis/line/is-sorted.js';

const NAT = -(2n ** 63n);

function isSortedNaively(labels: readonly bigint[], isDescending: boolean): boolean {
  return labels.every((label, i) => {
    const before = labels[i - 1] ?? label;
    return isDescending ? label <= before : label >= before;
  });
}

test('labels of 64 bits are compared as a whole, with their sign', () => {
  const ends = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 62n];
  const signed = [...ends, ...ends.map((label) => -label - 1n)];
  const unsigned = [...ends, 2n ** 63n, 2n ** 64n - 1n];
  for (const isDescending of [false, true])
    for (const a of signed)
      for (const b of signed) {
        const sorted = isSorted(BigInt64Array.of(a, b), isDescending);
        expect([a, b, sorted]).toEqual([a, b, isSortedNaively([a, b], isDescending)]);
      }
  for (const isDescending of [false, true])
    for (const a of unsigned)
      for (const b of unsigned) {
        const sorted = isSorted(BigUint64Array.of(a, b), isDescending);
        expect([a, b, sorted]).toEqual([a, b, isSortedNaively([a, b], isDescending)]);
      }
});

test('a missing label makes no list sorted', () => {
  for (const isDescending of [false, true])
    for (const labels of [[NAT], [NAT, 1n], [1n, NAT], [1n, NAT, 2n]])
      expect(isSorted(BigInt64Array.from(labels), isDescending)).toBe(false);
  for (const labels of [[NaN], [1, NaN], [NaN, 1]])
    expect(isSorted(Float32Array.from(labels), false)).toBe(false);
  expect(isSorted(Uint8Array.of(1, 1, 2), false)).toBe(true);
  expect(isSorted(Uint8Array.of(2, 1, 1), true)).toBe(true);
  expect(isSorted(Int16Array.of(1, 3, 2), false)).toBe(false);
});
