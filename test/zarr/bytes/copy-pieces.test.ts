import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyPieces } from '../../../server/zarr/bytes/copy-pieces.js';
import { copyStrided, type CopyDim } from '../../../server/zarr/bytes/strided-copy.js';

const dimension = fc.record({
  count: fc.integer({ min: 0, max: 5 }),
  from: fc.integer({ min: 0, max: 3 }),
  to: fc.integer({ min: 1, max: 3 }),
  lists: fc.boolean(),
});

test('the parts add up to the copy, and none is too large', () => {
  fc.assert(
    fc.property(
      fc.array(dimension, { maxLength: 4 }),
      fc.constantFrom(1, 2),
      fc.integer({ min: 1, max: 40 }),
      (given, itemSize, maxBytes) => {
        // Strides that increase outwards on the written side, so that each position is written once.
        let extent = itemSize;
        const dims = given.toReversed().map(({ count, from, to, lists }): CopyDim => {
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
