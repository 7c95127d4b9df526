/** The SIMD kernels of neighbouring results, compared with the loops. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stridesOf } from '../../../server/core/bytes/shape.js';
import { codecs } from '../../../server/core/wasm/module.js';
import { numberType } from '../../../server/core/dtype/data-type.js';
import type { TaskAxis } from '../../../server/compute/axis-map.js';
import { partialOfRegion } from '../../../server/compute/reduce/partial.js';

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  complex128: Float64Array,
} as const;

interface Case {
  readonly kind: 'VAR' | 'SUM' | 'COUNT' | 'MIN' | 'MAX' | 'ARGMIN' | 'ARGMAX' | 'PAIRS';
  readonly skipMissing: boolean;
  readonly name: keyof typeof arrays;
  readonly shape: readonly number[];
  readonly reduced: readonly boolean[];
  readonly numbers: readonly number[];
  readonly isReversed: boolean;
}

const cases = fc.record({
  kind: fc.constantFrom('VAR', 'SUM', 'COUNT', 'MIN', 'MAX', 'ARGMIN', 'ARGMAX'),
  skipMissing: fc.boolean(),
  name: fc.constantFrom('float32', 'float64', 'bool', 'int8', 'uint8', 'int16', 'uint16'),
  shape: fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 3 }),
    fc.oneof(fc.integer({ min: 16, max: 40 }), fc.integer({ min: 2040, max: 2100 })),
  ),
  reduced: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.constant(false)),
  numbers: fc.array(
    fc.oneof(fc.double(), fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e300, -1e38), fc.integer()),
    { minLength: 1, maxLength: 300 },
  ),
  isReversed: fc.boolean(),
});

/** @param asLists whether to describe the same elements by lists of positions, which only the loops support */
function partialOf(
  { kind, skipMissing, name, shape, reduced, numbers, isReversed }: Case,
  bytes: Uint8Array,
  asLists: boolean,
): unknown {
  const Values = arrays[name];
  const { itemSize } = numberType(name);
  const count = shape.reduce((product, length) => product * length, 1);
  const values = new Values((count * itemSize) / Values.BYTES_PER_ELEMENT);
  for (let i = 0; i < values.length; i++) values[i] = numbers[(i * 7) % numbers.length] ?? 0;
  bytes.set(new Uint8Array(values.buffer));
  const strides = stridesOf(shape, itemSize);
  let from = 0;
  const dims = shape.map((length, d) => {
    const stride = strides[d] ?? 0;
    if (!isReversed || d !== 1) {
      return asLists
        ? { count: length, from: 0, fromAt: Float64Array.from({ length }, (_, i) => i * stride) }
        : { count: length, from: stride };
    }
    from = (length - 1) * stride;
    return { count: length, from: -stride };
  });
  const axes = shape.map((length, d): TaskAxis => {
    const run = { start: 0, step: 1, count: length };
    const isReduced = reduced[d] === true;
    const inner = shape.filter((_, other) => other > d && reduced[other] === true);
    const positionStride = isReduced ? inner.reduce((product, size) => product * size, 1) : 0;
    return { run, slots: isReduced ? 1 : length, slotOf: isReduced ? 'one' : 'own', positionStride };
  });
  const form = {
    dtype: numberType(name),
    transform: undefined,
    itemSize,
    reducer:
      kind === 'PAIRS'
        ? ({ kind: 'pairs' } as const)
        : ({ kind: 'reduction', by: kind, skipMissing: skipMissing || kind === 'COUNT', isWeighted: false } as const), // prettier-ignore
  };
  const steps = partialOfRegion(form, axes, { bytes }, { from, dims });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('counts, squares, sums, extremes and their positions in columns equal those of the loops', () => {
  fc.assert(
    fc.property(cases, (scenario) => {
      const length = scenario.shape.reduce((product, size) => product * size, 16);
      expect(withoutMeans(scenario, partialOf(scenario, new Uint8Array(length), false))).toEqual(
        withoutMeans(scenario, partialOf(scenario, new Uint8Array(length), true)),
      );
    }),
    { numRuns: 800 },
  );
});

test('values in the memory of the module have the same results', () => {
  fc.assert(
    fc.property(cases, (scenario) => {
      const length = scenario.shape.reduce((product, size) => product * size, 16);
      // The result of a decoder remains allocated until the next call.
      const inMemory = codecs.run('test', new Uint8Array(0), (call) =>
        call.copyOut(call.allocate(length), length, undefined),
      );
      expect(withoutMeans(scenario, partialOf(scenario, inMemory, false))).toEqual(
        withoutMeans(scenario, partialOf(scenario, new Uint8Array(length), false)),
      );
    }),
    { numRuns: 50 },
  );
});

test('moments of pairs in columns equal those of the loop', () => {
  fc.assert(
    fc.property(cases, (scenario) => {
      const pairs = { ...scenario, kind: 'PAIRS', name: 'complex128' } as const;
      const length = pairs.shape.reduce((product, size) => product * size, 16);
      expect(partialOf(pairs, new Uint8Array(length), false)).toEqual(
        partialOf(pairs, new Uint8Array(length), true),
      );
    }),
    { numRuns: 300 },
  );
});

/** Omits the means, which differ if a value is infinite. The sum of squares is then NaN. */
function withoutMeans({ kind }: Case, partial: unknown): unknown {
  if (typeof partial !== 'object' || partial === null || !('values' in partial)) return partial;
  const { values, ...rest } = partial;
  if (!Array.isArray(values)) return rest;
  return kind === 'VAR' ? { ...rest, squares: values[2] } : partial;
}
