import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InterpolatedAxis, InterpolatedDim } from '../../../server/slices/axis/interpolation-plan.js';
import { blockSlice, interpolateSlice, numberType, sizeOf } from '../../../server/zarr/index.js';

const types = { float32: Float32Array, float64: Float64Array, int16: Int16Array, int64: BigInt64Array, bool: Uint8Array } as const; // prettier-ignore
const shapes = fc.constantFrom([3, 4, 5], [2, 3, 4100], [4, 1, 2], [6, 7], [5000], [3, 2, 2, 3]);

/** Results at random distances between neighbours; some at a position, some outside. */
function axisOf(axis: number, length: number): fc.Arbitrary<InterpolatedAxis & { readonly count: number }> {
  const result = fc.record({
    below: fc.integer({ min: -1, max: length - 1 }),
    isExact: fc.boolean(),
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  });
  return fc.array(result, { minLength: 1, maxLength: 6 }).map((results) => {
    const isAt = ({ below, isExact }: (typeof results)[number]): boolean => isExact || below === length - 1 || below < 0;
    return {
      axis,
      count: results.length,
      below: Float64Array.from(results, ({ below }) => below),
      above: Float64Array.from(results, (one) => (isAt(one) ? one.below : one.below + 1)),
      share: Float64Array.from(results, (one) => (isAt(one) ? 0 : one.share)),
    };
  });
} // prettier-ignore

/** Some axes, each alone or two of them together as points. */
const cases = shapes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    type: fc.constantFrom<keyof typeof types>('float32', 'float64', 'int16', 'int64', 'bool'),
    axes: fc.tuple(...shape.map((length, axis) => fc.option(axisOf(axis, length), { nil: undefined }))),
    areTogether: fc.boolean(),
    isAligned: fc.boolean(),
  }),
);

function dimsOf(
  axes: readonly (InterpolatedAxis & { readonly count: number })[],
  areTogether: boolean,
): InterpolatedDim[] {
  const common = Math.min(...axes.map(({ count }) => count));
  if (areTogether && axes.length > 1)
    return [{ name: null, made: undefined, axes, count: common, dropped: false }];
  return axes.map((one) => ({ name: null, made: undefined, axes: [one], count: one.count, dropped: false }));
}

/** The value of a result: interpolated along the first axis between values that are interpolated along the others. */
function valueAt(
  values: readonly number[],
  shape: readonly number[],
  axes: readonly (InterpolatedAxis & { readonly i: number })[],
  index: readonly number[],
): number {
  const [along, ...others] = axes;
  if (along === undefined) return values[index.reduce((sum, at, d) => sum * (shape[d] ?? 1) + at, 0)] ?? Infinity;
  const [below = -1, above = -1, share = 0] = [along.below[along.i], along.above[along.i], along.share[along.i]];
  if (below < 0) return NaN;
  const low = valueAt(values, shape, others, index.with(along.axis, below));
  if (above === below) return low;
  return low + share * (valueAt(values, shape, others, index.with(along.axis, above)) - low);
} // prettier-ignore

test('results are interpolated along one axis after the other, the last one first', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ shape, type, axes: some, areTogether, isAligned }) => {
      const axes = some.filter((axis) => axis !== undefined);
      const numbers = Array.from({ length: sizeOf(shape) }, (_, i) =>
        type === 'bool' ? i % 2 : ((i * 7919) % 201) - 100,
      );
      if (type === 'float32' || type === 'float64') numbers[3] = NaN;
      const bytes =
        type === 'int64'
          ? new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer)
          : new Uint8Array(types[type].from(numbers).buffer);
      const input = blockSlice({ dtype: numberType(type), shape, bytes }, { store: 'memory' });
      const dims = dimsOf(axes, areTogether);
      const slice = interpolateSlice(input, dims);
      const expected = Float64Array.from({ length: sizeOf(slice.shape) }, (_, n) => {
        const at = slice.shape.map((length, d) => Math.floor(n / sizeOf(slice.shape.slice(d + 1))) % length);
        const index = shape.map(() => 0);
        const chosen: (InterpolatedAxis & { readonly i: number })[] = [];
        for (const d of shape.keys()) {
          const dim = dims.find((one) => one.axes.some(({ axis }) => axis === d));
          if (dim === undefined) index[d] = at.shift() ?? 0;
          else if (Math.min(...dim.axes.map(({ axis }) => axis)) === d) {
            const i = at.shift() ?? 0;
            chosen.push(...dim.axes.map((axis) => ({ ...axis, i })));
          }
        }
        return valueAt(
          numbers,
          shape,
          chosen.toSorted((a, b) => a.axis - b.axis),
          index,
        );
      });
      const out = new Uint8Array(expected.byteLength + 8).subarray(isAligned ? 0 : 3).subarray(0, expected.byteLength); // prettier-ignore
      await slice.read({ out });
      // NaNs may have different bits.
      const same = (values: Float64Array): Float64Array =>
        values.map((value) => (Number.isNaN(value) ? NaN : value));
      expect(same(new Float64Array(out.slice().buffer))).toEqual(same(expected));
    }),
    { numRuns: 200 },
  );
});

test('rows have any length', async () => {
  const shape = [2, 11];
  const values = Float64Array.from({ length: 22 }, (_, i) => i * i);
  const input = blockSlice({ dtype: numberType('float64'), shape, bytes: new Uint8Array(values.buffer) }, { store: 'memory' }); // prettier-ignore
  const count = 9001;
  const below = Float64Array.from({ length: count }, (_, i) => Math.floor(i / 1000));
  const share = Float64Array.from({ length: count }, (_, i) => (i % 1000) / 1000);
  const axes = [{ axis: 1, below, above: below.map((at) => at + 1), share }];
  const slice = interpolateSlice(input, [{ name: null, made: undefined, axes, count, dropped: false }]);
  const read = await slice.read();
  if (!('bytes' in read)) throw new Error('no bytes');
  const results = new Float64Array(read.bytes.buffer, read.bytes.byteOffset, 2 * count);
  for (const [n, result] of results.entries()) {
    const [row, i] = [Math.floor(n / count), n % count];
    const at = row * 11 + Math.floor(i / 1000);
    expect(result).toBe(at * at + ((i % 1000) / 1000) * ((at + 1) ** 2 - at * at));
  }
});
