import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyStrided, type CopyDim, copyPieces } from '../../../server/core/bytes/strided-copy.js';

/** Copies one byte at a time, at the positions that the definition of `CopyDim` gives. */
function naiveCopy(
  source: Uint8Array,
  sourceStart: number,
  dest: Uint8Array,
  destStart: number,
  dims: readonly CopyDim[],
  itemSize: number,
): void {
  const [dim, ...rest] = dims;
  if (dim === undefined) {
    for (let i = 0; i < itemSize; i++) dest[destStart + i] = source[sourceStart + i] ?? 0;
    return;
  }
  for (let i = 0; i < dim.count; i++)
    naiveCopy(
      source,
      sourceStart + (dim.fromAt?.[i] ?? i * dim.from),
      dest,
      destStart + (dim.toAt?.[i] ?? i * dim.to),
      rest,
      itemSize,
    );
}

/**
 * A box of `counts` elements within a larger array, with dimensions in any order and direction, or with one
 * element repeated.
 */
const box = fc
  .record({
    itemSize: fc.constantFrom<number>(1, 2, 3, 4, 8, 12, 16, 64),
    counts: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    margin: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
    backwards: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    listed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    isRepeated: fc.boolean(),
    shift: fc.nat(7),
  })
  .map(({ itemSize, counts, margin, order, backwards, listed, isRepeated, shift }) => {
    const rank = counts.length;
    const strides = (axes: readonly number[], extra: number): number[] => {
      const result = new Array<number>(rank).fill(0);
      let stride = itemSize;
      for (const d of [...axes].reverse()) {
        if (d >= rank) continue;
        result[d] = stride;
        stride *= (counts[d] ?? 0) + (margin[d] ?? 0) * extra;
      }
      return result;
    };
    const from = strides(order, 1);
    const to = strides([0, 1, 2, 3], 0);
    let start = shift;
    const dims = counts.map((count, d): CopyDim => {
      const flip = backwards[d] === true && count > 0;
      const stride = isRepeated ? 0 : (from[d] ?? 0);
      if (flip) start += (count - 1) * stride;
      const step = flip ? -stride : stride;
      const plain = { count, from: step, to: to[d] ?? 0 };
      if (listed[d] !== true) return plain;
      return { ...plain, fromAt: Float64Array.from({ length: count }, (_, i) => i * step) };
    });
    return { itemSize, dims, start };
  });

const source = Uint8Array.from({ length: 700_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

test('copies like the definition, for any strides, lists and addresses', () => {
  fc.assert(
    fc.property(box, fc.nat(9), ({ itemSize, dims, start }, destStart) => {
      const size = dims.reduce((n, dim) => n * dim.count, itemSize) + 32;
      const [copied, expected] = [new Uint8Array(size), new Uint8Array(size)];
      copyStrided(source, start, copied, destStart, dims, itemSize);
      naiveCopy(source, start, expected, destStart, dims, itemSize);
      expect(Buffer.from(copied).equals(Buffer.from(expected))).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('keeps the bits of a NaN', () => {
  const nans = new Uint8Array(new BigUint64Array([0x7ff4000000000001n, 0xfff8000000000002n]).buffer);
  const dest = new Uint8Array(16);
  copyStrided(nans, 8, dest, 0, [{ count: 2, from: -8, to: 8 }], 8);
  expect([...new BigUint64Array(dest.buffer)]).toEqual([0xfff8000000000002n, 0x7ff4000000000001n]);
});

test('copies unaligned rows between buffers of any length, to their last byte', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(9), fc.nat(9), fc.nat(7), fc.nat(7), (row, gap, rows, first, to) => {
      const count = rows + 1;
      const [length, stride] = [row + 8, row + 8 + gap];
      const source = Uint8Array.from({ length: first + gap * rows + length * count }, (_, i) => i * 7 + 1);
      const dims = [
        { count, from: stride, to: length },
        { count: length, from: 1, to: 1 },
      ];
      const [copied, expected] = [new Uint8Array(to + length * count), new Uint8Array(to + length * count)];
      copyStrided(source, first, copied, to, dims, 1);
      naiveCopy(source, first, expected, to, dims, 1);
      expect(copied).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});

const dimension = fc.record({
  count: fc.integer({ min: 0, max: 5 }),
  from: fc.integer({ min: 0, max: 3 }),
  to: fc.integer({ min: 1, max: 3 }),
  lists: fc.boolean(),
});

test('the pieces add up to the copy, and each has one element or at most the maximum size', () => {
  fc.assert(
    fc.property(
      fc.array(dimension, { maxLength: 4 }),
      fc.constantFrom(1, 2),
      fc.integer({ min: 1, max: 40 }),
      (dimensions, itemSize, maxBytes) => {
        // Strides that increase outwards on the written side, so that each position is written once.
        let extent = itemSize;
        const dims = dimensions.toReversed().map(({ count, from, to, lists }): CopyDim => {
          const stride = extent * to;
          extent = stride * Math.max(1, count);
          const dim = { count, from: from * itemSize, to: stride };
          if (!lists) return dim;
          const at = (step: number) => Float64Array.from({ length: count }, (_, i) => (count - 1 - i) * step);
          return { ...dim, fromAt: at(dim.from), toAt: at(stride) };
        });
        const copy = { from: 1, to: 2, dims: dims.toReversed() };
        const source = Uint8Array.from({ length: 4096 }, (_, i) => i * 31 + 1);
        const [whole, pieced] = [new Uint8Array(extent + 16), new Uint8Array(extent + 16)];
        copyStrided(source, copy.from, whole, copy.to, copy.dims, itemSize);
        for (const piece of copyPieces(copy, itemSize, maxBytes)) {
          const count = piece.dims.reduce((product, { count }) => product * count, 1);
          expect(count === 1 || count * itemSize <= maxBytes).toBe(true);
          copyStrided(source, piece.from, pieced, piece.to, piece.dims, itemSize);
        }
        expect(Buffer.compare(whole, pieced)).toBe(0);
      },
    ),
  );
});
