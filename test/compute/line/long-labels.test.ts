/** The order of 64-bit labels in their stored form, compared with the order of converted labels. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FixedSizeType, numberType } from '../../../server/core/dtype/data-type.js';
import { UnsupportedError } from '../../../server/core/errors.js';
import { labelOrderOf, type LabelOrder } from '../../../server/compute/line/label-order.js';
import { longLabelsOf } from '../../../server/compute/line/long-labels.js';
import type { PieceForm } from '../../../server/compute/piece.js';
import { plainNumbers, type TickTransform } from '../../../server/format/plan/element-transform.js';

const dates: FixedSizeType = { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 };
const nat = -(2n ** 63n);

const tick = (start: bigint, factor: number): TickTransform => ({
  kind: 'ticks',
  sourceBytes: 8,
  dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
  values: plainNumbers('int64'),
  count: { kind: 'integers', start, factor },
  unit: { ticks: 1, message: 'not whole' },
  earliest: undefined,
  beyond: ['the date of ', ' does not fit'],
});

const anyStep = fc.oneof(
  fc.bigInt({ min: 0n, max: 5n }).map((step) => () => step),
  fc.bigInt({ min: -3n, max: 3n }).map((step) => () => step),
  fc.constant((i: number) => BigInt((i * 7) % 3)),
  fc.constant((i: number) => BigInt(i === 70_000 ? -1 : 1)),
  fc.constant((i: number) => (i < 66_000 ? -1n : BigInt(i % 2))),
  fc.constant(() => 2n ** 31n),
);

const cases = fc.record({
  first: fc.oneof(
    fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
    fc.constantFrom(0n, -5n, 2n ** 32n - 3n, nat),
  ),
  step: anyStep,
  sign: fc.constantFrom(1n, -1n),
  count: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(70_003)),
  transform: fc.constantFrom(undefined, tick(946_684_800n, 1), tick(-7n, 3600)),
  isDescending: fc.boolean(),
});

/** @param isDirect whether the labels are contiguous and keep their stored form; otherwise they are listed and converted */
function orderOf(
  labels: BigInt64Array,
  transform: TickTransform | undefined,
  isDescending: boolean,
  isDirect: boolean,
): LabelOrder {
  const count = labels.length;
  const form: PieceForm = {
    dtype: transform === undefined ? numberType('int64') : dates,
    transform,
    itemSize: 8,
  };
  const axes = [{ run: { start: 0, step: 1, count }, slots: 1, slotOf: 'one', positionStride: 1 }] as const;
  const fromAt = isDirect ? {} : { fromAt: Float64Array.from(labels, (_, i) => 8 * i) };
  const region = { from: 0, dims: [{ count, from: isDirect ? 8 : 0, ...fromAt }] };
  const spec = { from: -1000n, to: 10n ** 10n, count: 50, isDescending };
  const steps = labelOrderOf(spec, form, axes, { bytes: new Uint8Array(labels.buffer) }, region);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('the order of stored labels equals that of converted labels', () => {
  fc.assert(
    fc.property(cases, ({ first, step, sign, count, transform, isDescending }) => {
      const labels = new BigInt64Array(count);
      for (let i = 0, label = first; i < count; i++, label += sign * step(i)) labels[i] = label;
      const outcomeOf = (isDirect: boolean): unknown => {
        try {
          return orderOf(labels, transform, isDescending, isDirect);
        } catch (error) {
          return error instanceof UnsupportedError ? error.message : error;
        }
      };
      expect(outcomeOf(true)).toEqual(outcomeOf(false));
    }),
    { numRuns: 200 },
  );
});

test('sorted labels are converted on access', () => {
  const labels = BigInt64Array.of(3n, 6n, 6n, 11n);
  const form: PieceForm = { dtype: dates, transform: tick(100n, 10), itemSize: 8 };
  const steps = longLabelsOf(form, false, { bytes: new Uint8Array(labels.buffer) }, { from: 0, dims: [{ count: 4, from: 8 }] }); // prettier-ignore
  const step = steps.next();
  expect(step.done).toBe(false);
  const { value } = steps.next();
  expect(value).toMatchObject({ count: 4, step: undefined });
  expect(typeof value === 'object' && [0, 1, 3].map((i) => value.keyAt(i))).toEqual([130n, 160n, 210n]);
});
