/** Arbitrary element transforms, and elements for them. */
import fc from 'fast-check';
import type {
  ElementTransform,
  PackedNumbers,
  RealName,
  TickCount,
} from '../../../server/format/plan/element-transform.js';
import { halfFromFloat, numberType } from '../../../server/zarr/index.js';
import { readReal, realNames, sizeOfReal } from './naive-model.js';

export interface TransformCase {
  readonly transform: ElementTransform;
  readonly source: Uint8Array;
}

/** Small numbers and arbitrary bits. Elements repeat, so that some equal a missing value. */
function elements(name: RealName): fc.Arbitrary<Uint8Array> {
  const size = sizeOfReal(name);
  const any = fc.uint8Array({ minLength: size, maxLength: size });
  const small = fc.integer({ min: -40, max: 40 }).map((value) => bytesOf(value, name));
  return fc
    .tuple(
      fc.array(fc.oneof({ weight: 3, arbitrary: small }, any), { minLength: 1, maxLength: 12 }),
      fc.nat(20),
    )
    .chain(([few, count]) =>
      fc
        .array(fc.nat(few.length - 1), { minLength: count, maxLength: count })
        .map((picks) => Uint8Array.from(picks.flatMap((pick) => [...(few[pick] ?? [])]))),
    );
}

/** The bytes of an element: of `value`, or of an eighth of it for floats. */
function bytesOf(value: number, name: RealName): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  if (name === 'float64') view.setFloat64(0, value / 8, true);
  else if (name === 'float32') view.setFloat32(0, value / 8, true);
  else if (name === 'float16') view.setUint16(0, halfFromFloat(value / 8), true);
  else view.setBigInt64(0, BigInt(value), true);
  return new Uint8Array(view.buffer).slice(0, sizeOfReal(name));
}

const factor = fc.option(fc.constantFrom(0.01, 2, -1, 0.1, 1e5, 3.0000001), { nil: undefined });
const range = fc.option(
  fc.record({ min: fc.constantFrom(-Infinity, -5, 0), max: fc.constantFrom(5, 17, Infinity) }),
  {
    nil: undefined,
  },
);

/** @param missing values of the source, of which up to three are missing values */
function packed(name: RealName, missing: readonly (number | bigint)[]): fc.Arbitrary<PackedNumbers> {
  return fc.record({
    name: fc.constant(name),
    missing: fc.subarray(missing.slice(0, 3)),
    scale: factor,
    offset: factor,
    packedRange: range,
    unpackedRange: range,
  });
}

function valuesOf(source: Uint8Array, name: RealName): (number | bigint)[] {
  const view = new DataView(source.buffer, source.byteOffset, source.length);
  const size = sizeOfReal(name);
  const values = Array.from({ length: source.length / size }, (_, i) => readReal(view, i * size, name));
  return [...new Set(values)].filter((value) => !Number.isNaN(value));
}

/** Transforms of any stored number type to floats and booleans. */
export const numberCases: fc.Arbitrary<TransformCase> = fc.constantFrom(...realNames).chain((name) =>
  elements(name).chain((source) =>
    fc
      .tuple(packed(name, valuesOf(source, name)), fc.constantFrom('float16', 'float32', 'float64', 'bool'))
      .filter(([, target]) => target !== 'float16' || name === 'float16')
      // Only stored types of at most 16 bits, and float32 itself, are decoded to float32.
      .filter(([, target]) => target !== 'float32' || sizeOfReal(name) <= 2 || name === 'float32')
      .map(([values, target]) => ({
        transform: { kind: 'numbers', sourceBytes: sizeOfReal(name), dtype: numberType(target), values },
        source,
      })),
  ),
);

export const complexCases: fc.Arbitrary<TransformCase> = fc
  .tuple(
    fc.constantFrom('complex64', 'complex128'),
    fc.array(fc.constantFrom(0, 1, -2.5, NaN, Infinity), { maxLength: 20 }),
  )
  .chain(([name, parts]) => {
    const even = parts.slice(0, parts.length - (parts.length % 2));
    const typed = name === 'complex64' ? Float32Array.from(even) : Float64Array.from(even);
    return fc
      .array(fc.tuple(fc.constantFrom(0, 1, -2.5), fc.constantFrom(0, 1, Infinity)), { maxLength: 3 })
      .map((missing) => {
        const dtype = numberType(name);
        return {
          transform: { kind: 'complex', sourceBytes: dtype.itemSize, dtype, missing },
          source: new Uint8Array(typed.buffer),
        };
      });
  });

const start = fc.oneof(
  fc.constantFrom(0n, -(2n ** 62n), 2n ** 53n - 1n),
  fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }),
);
const ticksPerUnit = fc.constantFrom(1, 60, 86_400, 86_400_000_000);
const nanoseconds = fc.constantFrom(1, 1e3, 1e6, 1e9);

function tickCounts(isInteger: boolean): fc.Arbitrary<TickCount> {
  if (isInteger) return fc.record({ kind: fc.constant('integers'), start, factor: ticksPerUnit });
  return fc.oneof(
    fc.record({
      kind: fc.constant('floats'),
      start,
      factor: fc.constantFrom(1, 60, 3600),
      rounding: fc.constantFrom('nearest', 'towardsZero'),
      snap: fc.constant(false),
    }),
    fc.record({
      kind: fc.constant('durations'),
      step: fc.record({ count: fc.constantFrom(1, 60), nanoseconds, isSingle: fc.boolean() }),
      nanoseconds,
    }),
  );
}

export const tickCases: fc.Arbitrary<TransformCase> = fc.constantFrom(...realNames).chain((name) =>
  (name.startsWith('float') ? eighths(name) : elements(name)).chain((source) =>
    fc
      .record({
        kind: fc.constant('ticks'),
        sourceBytes: fc.constant(sizeOfReal(name)),
        dtype: fc.constant({ name: 'numpy.datetime64', itemSize: 8, unit: 'us', scale: 1 } as const),
        values: packed(name, valuesOf(source, name)).map((values) => ({
          ...values,
          scale: undefined,
          offset: undefined,
          unpackedRange: undefined,
        })),
        count: tickCounts(!name.startsWith('float')),
        unit: fc.option(fc.record({ ticks: fc.constantFrom(2, 60), message: fc.constant('no multiple') }), {
          nil: undefined,
        }),
        earliest: fc.option(fc.record({ tick: start, message: fc.constant('too early') }), {
          nil: undefined,
        }),
        beyond: fc.constant(['the value ', ' is beyond'] as const),
      })
      .map((transform) => ({ transform, source })),
  ),
);

function eighths(name: RealName): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.integer({ min: -500, max: 500 }), { maxLength: 20 })
    .map((values) => Uint8Array.from(values.flatMap((value) => [...bytesOf(value, name)])));
}
