/** Element transforms equal their definition, element by element. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTypedArray } from '../../../server/zarr/index.js';
import { applyTransform, tryTransform } from '../../../server/compute/transform/apply-transform.js';
import { type ElementTransform, plainNumbers } from '../../../server/format/plan/element-transform.js';
import { BLOCK } from '../../../server/compute/transform/unpack-block.js';
import { transformNaively } from './naive-model.js';
import { complexCases, numberCases, tickCases, type TransformCase } from './transforms.js';

/**
 * The bytes of values that are only masked. Otherwise the values, because the bits of a computed NaN depend on
 * the processor.
 */
function comparable(transform: ElementTransform, bytes: Uint8Array): unknown {
  if (transform.kind !== 'numbers') return bytes;
  const { dtype, values } = transform;
  const isMaskedOnly =
    dtype.name === values.name && values.scale === undefined && values.offset === undefined;
  if (isMaskedOnly || dtype.name === 'bool') return bytes;
  return Array.from(toTypedArray({ dtype, shape: [bytes.length / dtype.itemSize], bytes }));
}

function transformed({ transform, source }: TransformCase, shift = 0): Uint8Array | undefined {
  const { sourceBytes, dtype } = transform;
  const length = (source.length / sourceBytes) * dtype.itemSize;
  const from = new Uint8Array(source.length + shift).subarray(shift);
  from.set(source);
  const to = new Uint8Array(length + shift).subarray(shift);
  return tryTransform(transform, from, to) === undefined ? to : undefined;
}

test.each([
  ['numbers', numberCases],
  ['complex numbers', complexCases],
  ['times', tickCases],
])('%s equal their definition, at any address', (_, cases) => {
  fc.assert(
    fc.property(cases, fc.nat(3), (sample, shift) => {
      const expected = transformNaively(sample.transform, sample.source);
      const actual = transformed(sample, shift);
      if (expected === undefined || actual === undefined) expect(actual).toBe(expected);
      else expect(comparable(sample.transform, actual)).toEqual(comparable(sample.transform, expected));
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ['numbers', numberCases],
  ['times', tickCases],
])('%s have the same results in several blocks', (_, cases) => {
  fc.assert(
    fc.property(
      cases.filter(({ source }) => source.length > 0),
      fc.constantFrom(BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 7),
      ({ transform, source }, count) => {
        const { sourceBytes, dtype } = transform;
        const few = source.length / sourceBytes;
        const many = new Uint8Array(count * sourceBytes);
        for (let i = 0; i < many.length; i++) many[i] = source[i % source.length] ?? 0;
        const [once, all] = [transformed({ transform, source }), transformed({ transform, source: many })];
        if (once === undefined || all === undefined) expect(all).toBe(once);
        else {
          const differing = all.findIndex((byte, i) => byte !== once[i % (few * dtype.itemSize)]);
          expect(differing).toBe(-1);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a clone of a transform has the same results', () => {
  fc.assert(
    fc.property(fc.oneof(numberCases, complexCases, tickCases), ({ transform, source }) => {
      const clone = structuredClone(transform);
      expect(clone).toEqual(transform);
      expect(transformed({ transform: clone, source })).toEqual(transformed({ transform, source }));
    }),
    { numRuns: 100 },
  );
});

test('an error contains the value', () => {
  const transform: ElementTransform = {
    kind: 'ticks',
    sourceBytes: 8,
    dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
    values: plainNumbers('int64'),
    count: { kind: 'integers', start: 0n, factor: 60 },
    unit: undefined,
    earliest: undefined,
    beyond: ['the date of ', ' is too late'],
  };
  const source = new Uint8Array(BigInt64Array.of(1n, 2n ** 62n + 1n).buffer);
  expect(() => applyTransform(transform, source, new Uint8Array(16))).toThrow(
    'the date of 4611686018427387905 is too late',
  );
});

test('source and target must have the same number of elements', () => {
  const transform: ElementTransform = {
    kind: 'complex',
    sourceBytes: 8,
    dtype: { name: 'complex64', itemSize: 8 },
    missing: [],
  };
  expect(() => applyTransform(transform, new Uint8Array(16), new Uint8Array(8))).toThrow(RangeError);
});
