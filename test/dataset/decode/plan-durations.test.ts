import { describe, expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { blockOfValues, runNow } from '../../../server/zarr/index.js';
import { decoded, numberType, variableOf } from './stored.js';

const nan = NaN;

describe('durations', () => {
  test('only by dtype, unless the option accepts units', () => {
    expect(decoded('int32', [2], { units: 'days' }).type).toBe('int32');
    const options = { decodeDurations: true };
    expect(decoded('int32', [2], { units: 'days' }, { options })).toEqual({
      type: 'numpy.timedelta64[ns]',
      values: [172_800_000_000_000n],
    });
    expect(decoded('int32', [2], { units: 'day' }, { options }).type).toBe('int32');
  });

  test('the declared unit, or a finer one required by the numbers', () => {
    const typeOf = (units: string, unit: string) =>
      decoded('int32', [2], { units, dtype: `timedelta64[${unit}]` }).type;
    expect(typeOf('days', 'D')).toBe('numpy.timedelta64[s]');
    expect(typeOf('hours', 'ms')).toBe('numpy.timedelta64[ms]');
    expect(typeOf('microseconds', 's')).toBe('numpy.timedelta64[us]');
    expect(typeOf('seconds', 'ps')).toBe('numpy.timedelta64[ns]');
  });

  test('floats are rounded to the declared unit unless their values require a finer one', () => {
    const attributes = { units: 'hours', dtype: 'timedelta64[s]' };
    expect(decoded('float64', [1 / 3, -1 / 3, 0.5, nan], attributes).values).toEqual([
      1200n,
      -1200n,
      1800n,
      -(2n ** 63n),
    ]);
    const dtype = numberType('float64');
    const planned = planDecoding(variableOf(dtype, attributes));
    const unitFor = (values: readonly number[]) => {
      const refining = planned.refine?.(blockOfValues(values, dtype, 1));
      return refining === undefined ? undefined : runNow(refining).dtype;
    };
    expect(unitFor([1, nan, 0.5])).toMatchObject({ unit: 's' });
    expect(unitFor([1 / 7200, Infinity])).toMatchObject({ unit: 'ms' });
    expect(unitFor([1 / 7])).toMatchObject({ unit: 'ns' });
  });

  test('overflow is an error', () => {
    expect(() => decoded('int64', [2n ** 62n], { units: 'days', dtype: 'timedelta64[s]' })).toThrow(
      'not fit a 64-bit count',
    );
  });
});
