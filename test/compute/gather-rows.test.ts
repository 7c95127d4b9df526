import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatherRows } from '../../server/compute/gather-rows.js';
import { numberType, sizeOf } from '../../server/zarr/index.js';

const shapes = fc.constantFrom<number[]>([3], [1, 4], [2, 3, 5], [4, 2], [2, 3, 40]);
const types = { int16: Int16Array, float32: Float32Array, float64: Float64Array } as const;

test('values are repeated along any axis, and missing at positions without a base', () => {
  fc.assert(
    fc.property(
      shapes.chain((shape) => fc.record({ shape: fc.constant(shape), axis: fc.nat(shape.length - 1) })),
      fc.constantFrom<keyof typeof types>('int16', 'float32', 'float64'),
      fc.array(fc.integer({ min: -1, max: 100 }), { maxLength: 9 }),
      ({ shape, axis }, type, list) => {
        const count = shape[axis] ?? 1;
        const isFloat = type !== 'int16';
        const of = Int32Array.from(list, (at) => (at < 0 ? (isFloat ? -1 : 0) : at % count));
        const values = new types[type](Array.from({ length: sizeOf(shape) }, (_, i) => i));
        const result = shape.map((length, d) => (d === axis ? of.length : length));
        const out = new types[type](sizeOf(result));
        const bytes = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer);
        for (const _ of gatherRows(bytes(values), shape, { axis, of }, numberType(type), bytes(out)));
        const inner = sizeOf(shape.slice(axis + 1));
        const expected = out.map((_, n) => {
          const [k, i, m] = [Math.floor(n / inner / of.length), Math.floor(n / inner) % of.length, n % inner];
          const position = of[i] ?? -1;
          return position < 0 ? NaN : (values[(k * count + position) * inner + m] ?? NaN);
        });
        expect(out).toEqual(expected);
      },
    ),
  );
});

test('sizes and positions that do not match are errors', () => {
  const gather = (of: number[], values: number, out: number): void => {
    for (const _ of gatherRows(new Uint8Array(values), [3, 2], { axis: 0, of: Int32Array.from(of) }, numberType('float32'), new Uint8Array(out)));
  }; // prettier-ignore
  expect(() => gather([2, 0], 24, 16)).not.toThrow();
  expect(() => gather([2, 0], 20, 16)).toThrow('cannot gather 20 bytes of the shape 3x2 into 16');
  expect(() => gather([2, 0], 24, 24)).toThrow('cannot gather 24 bytes of the shape 3x2 into 24');
  expect(() => gather([3, 0], 24, 16)).toThrow('position 3 of 3 is gathered');
});
