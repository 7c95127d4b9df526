import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../server/analysis/expression/compile.js';
import { parseExpression } from '../../../server/analysis/expression/parse.js';
import { machineOf, planBoxes } from '../../../server/compute/program/combine-box.js';
import { RUN } from '../../../server/compute/program/program.js';
import { createKernelMachine } from '../../../server/compute/program/run-program.js';
import { codecs } from '../../../server/core/wasm/module.js';
import { type Block, numberType, sizeOf } from '../../../server/zarr/index.js';

const types = {
  float32: Float32Array,
  float64: Float64Array,
  int16: Int16Array,
  int64: BigInt64Array,
} as const;
type TypeName = keyof typeof types;

const expressions = [
  'a * cos(b * pi / 180)',
  'where(b > 0, a, -c)',
  'where(isnan(b) or c < 2, a, b * c)',
  '(a - b) / c',
  'sqrt(a ** 2 + abs(b)) + exp(c / 100) * b',
  'b * 2 + c',
  'max(a, min(b, c), b * c)',
  '(b > c) * a + (not (c > 1))',
  'where(a > 0, b % 7, c + 1)',
] as const; // prettier-ignore

/** All axes of three dimensions in any order, or some of them. */
const someAxes = fc.shuffledSubarray([0, 1, 2]);
const lengths = fc.constantFrom(
  [1, 1, 1], [2, 3, 4], [3, 1, 5], [1, 7, 1], [5, 70, 70], [2, 5000, 1], [3, 1, 9000], [40, 9, 30], [9000, 2, 1], [2, 1, 4096], [300, 61, 3],
); // prettier-ignore
const inputIn = (axes: fc.Arbitrary<number[]>) =>
  fc.record({ axes, type: fc.constantFrom<TypeName>('float32', 'float64', 'int16', 'int64') });

function valuesOf(type: TypeName, count: number, seed: number): Uint8Array {
  const special = [NaN, -0, 0, Infinity, -1e30, 1e-40];
  const number = (i: number): number => ((i * 7919 + seed * 104_729) % 2003) - 1001;
  if (type === 'int64') return new Uint8Array(BigInt64Array.from({ length: count }, (_, i) => BigInt(number(i))).buffer);
  const isFloat = type !== 'int16';
  const at = (i: number): number => (isFloat && i % 17 === 3 ? (special[(i + seed) % special.length] ?? 0) : number(i) / (isFloat ? 4 : 1));
  const numbers = Array.from({ length: count }, (_, i) => at(i));
  return new Uint8Array(types[type].from(numbers).buffer);
} // prettier-ignore

/** An input, repeated for all positions of the shape. */
function repeated(bytes: Uint8Array, itemSize: number, axes: readonly number[], shape: readonly number[]): Uint8Array {
  const strides = axes.map((_, d) => sizeOf(axes.slice(d + 1).map((axis) => shape[axis] ?? 1)));
  const all = new Uint8Array(sizeOf(shape) * itemSize);
  for (let i = 0; i < sizeOf(shape); i++) {
    const index = shape.map((length, axis) => Math.floor(i / sizeOf(shape.slice(axis + 1))) % length);
    const at = axes.reduce((sum, axis, d) => sum + (index[axis] ?? 0) * (strides[d] ?? 0), 0);
    all.set(bytes.subarray(at * itemSize, (at + 1) * itemSize), i * itemSize);
  }
  return all;
} // prettier-ignore

/** The bytes, in which all NaNs are equal: compiled and interpreted code may create different ones. */
function comparable(bytes: Uint8Array, name: string): Uint8Array {
  const copy = bytes.slice();
  if (name !== 'float32' && name !== 'float64') return copy;
  const values = new types[name](copy.buffer);
  for (const [i, value] of values.entries()) if (Number.isNaN(value)) values[i] = NaN;
  return copy;
}

describe('boxes', () => {
  it('have the bits of programs that compute each element from repeated inputs', () => {
    fc.assert(
      fc.property(
        lengths,
        fc.constantFrom(...expressions),
        inputIn(fc.oneof(fc.constant<number[]>([0, 1, 2]), someAxes)),
        inputIn(someAxes),
        inputIn(someAxes),
        fc.boolean(),
        (shape, text, a, b, c, isInCodecs) => {
          const inputs = [a, b, c].map(({ axes, type }, k) => {
            const { itemSize } = numberType(type);
            const own = axes.map((axis) => shape[axis] ?? 1);
            return { axes, itemSize, type, own, bytes: valuesOf(type, sizeOf(own), k + 1) };
          });
          const names = inputs.map(({ type }, k) => ({ name: 'abc'[k] ?? '', dtype: { name: type } }));
          const program = compileExpression(parseExpression(text), names);
          const { itemSize, name } = program.result.dtype;
          const expected = new Uint8Array(sizeOf(shape) * itemSize);
          const all = inputs.map(({ bytes, itemSize: size, axes }) => repeated(bytes, size, axes, shape));
          for (const _ of createKernelMachine(program).run(all, sizeOf(shape), expected));

          const plan = planBoxes(inputs, shape, { programs: [program], run: RUN, itemSize, createCombiner: machineOf });
          const scratchBytes = plan.scratchBytes(shape);
          const lengthOf = (bytes: number): number => Math.ceil(bytes / 8) * 8;
          const sizes = [...inputs.map(({ bytes }) => bytes.length), expected.length, scratchBytes];
          const held = codecs.hold(sizes.reduce((sum, bytes) => sum + lengthOf(bytes), 0), 0);
          let at = 0;
          const places = sizes.map((bytes) => {
            const place = isInCodecs ? held.subarray(at, at + bytes) : new Uint8Array(bytes);
            at += lengthOf(bytes);
            return place;
          });
          const blocks = inputs.map(({ type, own, bytes }, k): Block => {
            const place = places[k] ?? new Uint8Array(0);
            place.set(bytes);
            return { dtype: numberType(type), shape: own, bytes: place };
          });
          const [out = new Uint8Array(0), scratch = new Uint8Array(0)] = places.slice(inputs.length);
          const combiner = plan.createCombiner();
          // The second time, programs of many elements are compiled.
          for (let time = 0; time < 2; time++) {
            out.fill(0x55);
            for (const _ of combiner.run(blocks, shape, out, scratch));
            expect(Buffer.compare(comparable(out, name), comparable(expected, name))).toBe(0);
          }
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000); // prettier-ignore

  it('are computed in the memory that they state, and in no less', () => {
    const program = compileExpression(parseExpression('a * cos(b)'), [
      { name: 'a', dtype: { name: 'float64' } },
      { name: 'b', dtype: { name: 'float64' } },
    ]);
    const shape = [30, 50, 100];
    const operands = [{ axes: [0, 1, 2], itemSize: 8 }, { axes: [1], itemSize: 8 }]; // prettier-ignore
    const plan = planBoxes(operands, shape, {
      programs: [program],
      run: RUN,
      itemSize: 8,
      createCombiner: machineOf,
    });
    // 50 cosines, and these repeated for 100 elements.
    expect(plan.scratchBytes(shape)).toBe(8 * 50 + 8 * 5000);
    const blocks = [shape, [50]].map((own): Block => ({ dtype: numberType('float64'), shape: own, bytes: new Uint8Array(8 * sizeOf(own)) })); // prettier-ignore
    const out = new Uint8Array(8 * sizeOf(shape));
    expect(() => [
      ...plan.createCombiner().run(blocks, shape, out, new Uint8Array(8 * 50 + 8 * 5000 - 1)),
    ]).toThrow('the memory of a box');
  });
});
