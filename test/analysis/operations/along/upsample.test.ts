/** Upsampling compared with xarray, and interpolation on the circle with NumPy: `test/fixtures/analysis/make_upsample.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../../server/analysis/operations/apply-steps.js';
import type { GivenStep } from '../../../../server/analysis/operations/table.js';
import { coordinatesOfSlice } from '../../../../server/dataset/slice-coordinates.js';
import { decodedLabels } from '../../../../server/dataset/slice-coordinate.js';
import { LimitError, SelectionError, toTypedArray } from '../../../../server/zarr/index.js';
import { fixtures } from '../../../setup/fixtures.js';
import { smallDataset, type SmallVariable } from '../../small-dataset.js';

type Upsample = Extract<GivenStep, { upsample: unknown }>['upsample'];
interface Data {
  readonly hours: readonly number[];
  readonly values: readonly number[];
  readonly cases: readonly (Pick<Upsample, 'every' | 'unit' | 'method'> & {
    readonly dates: readonly string[];
    readonly values: readonly (number | null)[];
  })[];
  readonly circles: readonly {
    readonly lon: readonly number[];
    readonly values: readonly number[];
    readonly targets: readonly number[];
    readonly found: readonly number[];
  }[];
}

const data: Data = JSON.parse(readFileSync(join(fixtures, 'analysis', 'upsample.json'), 'utf8'));

const line = (dim: string, values: readonly unknown[], dtype = 'float64', attributes = {}): SmallVariable => ({
  dims: [dim], dtype, shape: [values.length], chunks: [3], values, attributes,
}); // prettier-ignore

async function taken(variables: Readonly<Record<string, SmallVariable>>, step: GivenStep) {
  const { slice, scope } = await smallDataset(variables);
  const { slice: result } = await takeStep(withoutSteps(slice('v')), step, scope);
  const [coordinate] = coordinatesOfSlice(result, undefined);
  const labels = coordinate?.planned();
  return {
    values: Array.from(toTypedArray(await result.read()), Number),
    labels: labels === undefined ? [] : Array.from(toTypedArray(await decodedLabels(labels).read()), Number),
    result,
  };
}

const units = 'hours since 2001-02-26T06:00';
const series = (reversed = false) => {
  const [hours, values] = reversed ? [data.hours.toReversed(), data.values.toReversed()] : [data.hours, data.values];
  return { t: line('t', hours, 'int32', { units }), v: line('t', values) };
}; // prettier-ignore

test.each(data.cases)('every $every $unit, $method', async ({ dates, values: wanted, ...args }) => {
  for (const isReversed of [false, true]) {
    const { values, labels } = await taken(series(isReversed), { upsample: { dim: 't', ...args } });
    const wantedDates = dates.map((date) => Date.parse(`${date}Z`) / 1000);
    expect(labels).toEqual(wantedDates);
    values.forEach((value, i) => {
      const other = wanted[i];
      if (other === null || other === undefined) expect(value).toBeNaN();
      else expect(Math.abs(value - other)).toBeLessThan(1e-9);
    });
  }
});

test('parts of upsampled values, and requests that are refused', async () => {
  const upsample = { dim: 't', unit: 'DAY', every: 1, method: 'FORWARD' } as const;
  const { result, values } = await taken(series(), { upsample });
  const part = result.select({ kind: 'dims', dims: [{ kind: 'slice', start: 2, stop: 5 }] });
  expect(Array.from(toTypedArray(await part.read()), Number)).toEqual(values.slice(2, 5));
  await expect(taken(series(), { upsample: { ...upsample, unit: 'SECOND' } })).rejects.toThrow(LimitError);
  const numbers = { t: line('t', data.hours), v: line('t', data.values) };
  await expect(taken(numbers, { upsample })).rejects.toThrow('upsampling requires dates');
  const unsorted = { t: line('t', [3, 1, 2], 'int32', { units }), v: line('t', [1, 2, 3]) };
  await expect(taken(unsorted, { upsample })).rejects.toThrow(SelectionError);
});

test.each(data.circles)('longitudes of any convention', async ({ lon, values: own, targets, found }) => {
  for (const isReversed of [false, true]) {
    const variables = isReversed ? { x: line('x', lon.toReversed()), v: line('x', own.toReversed()) } : { x: line('x', lon), v: line('x', own) }; // prettier-ignore
    const { values } = await taken(variables, { interpolate: [{ dim: 'x', values: targets, wrap: 360 }] });
    values.forEach((value, i) => expect(Math.abs(value - (found[i] ?? NaN))).toBeLessThan(1e-9));
  }
});

test('a region has no values outside, and booleans become the share of true', async () => {
  const region = { x: line('x', [350, 355, 360]), v: line('x', [true, false, true], 'bool') };
  const at = [{ dim: 'x', values: [-10, -7.5, 0, 1, 180, 352.5], wrap: 360 }];
  const { values } = await taken(region, { interpolate: at });
  expect(values).toEqual([1, 0.5, 1, NaN, NaN, 0.5]);
  const dates = [{ dim: 't', values: ['2001-02-26T07'], wrap: 360 }];
  await expect(taken(series(), { interpolate: dates })).rejects.toThrow('requires numbers');
});
