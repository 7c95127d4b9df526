/** A strided copy with a transform equals a copy followed by a transform of every element. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyStrided, type CopyDim } from '../../../server/core/bytes/strided-copy.js';
import { applyTransform } from '../../../server/compute/transform/apply-transform.js';
import { type ElementTransform, plainNumbers } from '../../../server/format/plan/element-transform.js';
import { transformBox } from '../../../server/compute/transform/transform-box.js';

const transforms: readonly ElementTransform[] = [
  {
    kind: 'numbers',
    sourceBytes: 2,
    dtype: { name: 'float64', itemSize: 8 },
    values: { ...plainNumbers('int16'), missing: [7], scale: 0.5, offset: 1 },
  },
  {
    kind: 'numbers',
    sourceBytes: 4,
    dtype: { name: 'bool', itemSize: 1 },
    values: plainNumbers('int32'),
  },
  { kind: 'copy', sourceBytes: 2, dtype: { name: 'uint16', itemSize: 2 } },
];

interface Side {
  readonly start: number;
  readonly dims: readonly { readonly stride: number; readonly at?: Float64Array }[];
  readonly length: number;
}

/** A layout of the box in elements: dimensions in any order, with gaps, a step, or a list of positions. */
function layout(counts: readonly number[], mayList: boolean): fc.Arbitrary<Side> {
  return fc
    .tuple(
      fc.shuffledSubarray([...counts.keys()], { minLength: counts.length }),
      fc.array(fc.nat(2), { minLength: counts.length, maxLength: counts.length }),
      fc.nat(3),
      fc.array(fc.boolean(), { minLength: counts.length, maxLength: counts.length }),
    )
    .map(([order, gaps, start, lists]) => {
      const strides = counts.map(() => 1);
      let stride = 1;
      for (const d of order) {
        strides[d] = stride;
        stride *= (counts[d] ?? 1) + (gaps[d] ?? 0);
      }
      const dims = counts.map((count, d) => {
        const own = strides[d] ?? 1;
        const isList = mayList && lists[d] === true;
        return isList
          ? { stride: 0, at: Float64Array.from({ length: count }, (_, i) => (count - 1 - i) * own) }
          : { stride: own };
      });
      return { start, dims, length: start + stride };
    });
}

function dimsOf(
  counts: readonly number[],
  from: Side,
  to: Side,
  fromSize: number,
  toSize: number,
): CopyDim[] {
  return counts.map((count, d) => {
    const [a, b] = [from.dims[d], to.dims[d]];
    return {
      count,
      from: (a?.stride ?? 0) * fromSize,
      to: (b?.stride ?? 0) * toSize,
      ...(a?.at === undefined ? {} : { fromAt: a.at.map((p) => p * fromSize) }),
      ...(b?.at === undefined ? {} : { toAt: b.at.map((p) => p * toSize) }),
    };
  });
}

const box = fc
  .array(fc.oneof(fc.nat(5), fc.constantFrom(70, 90)), { maxLength: 4 })
  .filter((counts) => counts.reduce((a, b) => a * b, 1) <= 20_000)
  .chain((counts) =>
    fc.tuple(
      fc.constant(counts),
      layout(counts, true),
      layout(counts, true),
      fc.constantFrom(...transforms),
      fc.nat(1),
    ),
  );

test('a transformed box equals a copy and a transform, for any layout on both sides', () => {
  fc.assert(
    fc.property(box, ([counts, from, to, transform, shift]) => {
      const { sourceBytes, dtype } = transform;
      const source = Uint8Array.from({ length: from.length * sourceBytes }, (_, i) => (i * 7) % 11);
      const inOrder = layoutInOrder(counts);
      const total = counts.reduce((a, b) => a * b, 1);
      const gathered = new Uint8Array(total * sourceBytes);
      copyStrided(
        source,
        from.start * sourceBytes,
        gathered,
        0,
        dimsOf(counts, from, inOrder, sourceBytes, sourceBytes),
        sourceBytes,
      );
      const values = new Uint8Array(total * dtype.itemSize);
      applyTransform(transform, gathered, values);
      const expected = new Uint8Array(to.length * dtype.itemSize).fill(9);
      copyStrided(
        values,
        0,
        expected,
        to.start * dtype.itemSize,
        dimsOf(counts, inOrder, to, dtype.itemSize, dtype.itemSize),
        dtype.itemSize,
      );

      const actual = new Uint8Array(expected.length + shift).subarray(shift).fill(9);
      const dims = dimsOf(counts, from, to, sourceBytes, dtype.itemSize);
      const steps = transformBox(transform, source, actual, {
        from: from.start * sourceBytes,
        to: to.start * dtype.itemSize,
        dims,
      });
      expect([...steps].length).toBeGreaterThan(0);
      expect(Buffer.compare(actual, expected)).toBe(0);
    }),
    { numRuns: 400 },
  );
});

test('a box of 100,000 elements is transformed in 25 steps', () => {
  const [transform] = transforms;
  if (transform === undefined) throw new TypeError('expected a transform');
  const source = new Uint8Array(2 * 100_000);
  const copy = { from: 0, to: 0, dims: [{ count: 100_000, from: 2, to: 8 }] };
  expect([...transformBox(transform, source, new Uint8Array(800_000), copy)].length).toBe(25);
});

test('elements outside the box are not inspected', () => {
  const transform: ElementTransform = {
    kind: 'ticks',
    sourceBytes: 8,
    dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
    values: plainNumbers('float64'),
    count: { kind: 'floats', start: 0n, factor: 1, rounding: 'nearest', snap: false },
    unit: undefined,
    earliest: undefined,
    beyond: ['the date of ', ' is too late'],
  };
  const source = new Uint8Array(Float64Array.of(1, 1e300, 2, 1e300).buffer);
  const target = new Uint8Array(16);
  const run = (stride: number): void =>
    void [
      ...transformBox(transform, source, target, {
        from: 0,
        to: 0,
        dims: [{ count: 2, from: stride, to: 8 }],
      }),
    ];
  run(16);
  expect([...new BigInt64Array(target.buffer)]).toEqual([1n, 2n]);
  expect(() => run(8)).toThrow('the date of 1e+300 is too late');
});

function layoutInOrder(counts: readonly number[]): Side {
  let stride = 1;
  const dims = counts
    .toReversed()
    .map((count) => {
      const own = { stride };
      stride *= count;
      return own;
    })
    .reverse();
  return { start: 0, dims, length: stride };
}
