import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { convertedUnits } from '../../../server/analysis/operations/quantity.js';
import { type GivenStep, isSliceStep } from '../../../server/analysis/operations/table.js';
import { defaultLimits, InputError, toTypedArray, UnsupportedError } from '../../../server/zarr/index.js';
import { smallDataset } from '../small-dataset.js';

const values = [
  [270, 271.5, NaN],
  [280, 290, 300],
];
const attributes = { units: 'K' };
const open = () =>
  smallDataset({
    t: { dims: ['time', 'x'], dtype: 'float32', shape: [2, 3], chunks: [1, 2], values, attributes },
    i: { dims: ['x'], dtype: 'int16', shape: [3], chunks: [3], values: [1, 2, 3], attributes: { units: 'km' } },
    b: { dims: ['x'], dtype: 'bool', shape: [3], chunks: [3], values: [true, false, true] },
    time: { dims: ['time'], dtype: 'int32', shape: [2], chunks: [2], values: [0, 31], attributes: { units: 'days since 2001-01-01' } },
  }); // prettier-ignore

async function converted(name: string, steps: readonly GivenStep[], units: string | undefined = 'K') {
  const { slice, scope } = await open();
  let stepped = withoutSteps(slice(name));
  for (const step of steps) stepped = await takeStep(stepped, step, { ...scope, units: async () => units });
  const block = await stepped.slice.read();
  return {
    stepped,
    dtype: block.dtype.name,
    values: Array.from(toTypedArray(block), Number),
    shape: block.shape,
  };
}

test('values are converted in float64 and rounded once', async () => {
  const { dtype, values: result, shape, stepped } = await converted('t', [{ convert: { units: 'degC' } }]);
  expect([dtype, shape]).toEqual(['float32', [2, 3]]);
  expect(result).toEqual(values.flat().map((value) => Math.fround(Math.fround(value) - 273.15)));
  expect(stepped.steps).toEqual([{ convert: { units: 'degC', from: 'K', isDifference: false } }]);
  expect(stepped.steps.every((step) => isSliceStep(JSON.parse(JSON.stringify(step))))).toBe(true);
  const whole = await converted('i', [{ convert: { units: 'm' } }], 'km');
  expect([whole.dtype, whole.values]).toEqual(['float64', [1000, 2000, 3000]]);
});

test('differences, deviations and sums have no zero', async () => {
  const anomaly = { anomaly: { part: { dim: 'time', part: 'YEAR' } } } as const;
  const std = { reduce: { by: 'STD', over: ['time'] } } as const;
  const fahrenheit = { convert: { units: 'degF' } };
  for (const step of [anomaly, std, { reduce: { by: 'SUM', over: ['x'] } } as const]) {
    const plain = await converted('t', [step]);
    const { values: scaled, stepped } = await converted('t', [step, fahrenheit]);
    expect(scaled).toEqual(plain.values.map((value) => Math.fround(value * 1.8)));
    expect(stepped.steps.at(-1)).toEqual({ convert: { units: 'degF', from: 'K', isDifference: true } });
  }
  const mean = await converted('t', [{ reduce: { by: 'MAX', over: ['x'] } }, { convert: { units: 'degC' } }]);
  expect(mean.values).toEqual([271.5, 300].map((value) => Math.fround(value - 273.15)));
  const forced = await converted('t', [{ convert: { units: 'degC', isDifference: true } }]);
  expect(forced.values[0]).toBe(270);
});

test('conversions follow each other, and later operations select and reduce their values', async () => {
  const twice = await converted('t', [{ convert: { units: 'degC' } }, { convert: { units: 'K' } }]);
  expect(twice.values[0]).toBeCloseTo(270, 4);
  const steps: GivenStep[] = [
    { convert: { units: 'degC' } },
    { select: { kind: 'dims', dims: [{ kind: 'index', index: 1 }] } },
    { reduce: { by: 'MEAN' } },
  ];
  const { values: mean, stepped } = await converted('t', steps);
  expect(mean[0]).toBeCloseTo(290 - 273.15, 4);
  expect(convertedUnits(stepped.steps)).toBe('degC');
  expect(convertedUnits([...stepped.steps, { reduce: { by: 'VAR' } }])).toBeUndefined();
  const { cost } = { cost: stepped.slice.cost() };
  expect(cost.work).toBeGreaterThan(0);
  expect(stepped.slice.exceeded({ ...defaultLimits, maxWork: 1 }).length).toBeGreaterThan(0);
});

test('unknown units, other quantities and values without units are errors', async () => {
  const convert = (name: string, args: { units: string; from?: string }, units?: string) =>
    converted(name, [{ convert: args }], units);
  await expect(convert('t', { units: 'mm' })).rejects.toThrow('units "K" cannot be converted to "mm"');
  await expect(convert('t', { units: 'bogus' })).rejects.toThrow('unknown unit "bogus"');
  await expect(convert('b', { units: 'm', from: 'km' })).rejects.toThrow(UnsupportedError);
  await expect(convert('time', { units: 'm', from: 'km' })).rejects.toThrow(UnsupportedError);
  const { slice, scope } = await open();
  const step = { convert: { units: 'degC' } };
  await expect(takeStep(withoutSteps(slice('t')), step, scope)).rejects.toThrow(InputError);
  const counted = [{ reduce: { by: 'COUNT', over: ['x'] } } as const, step];
  await expect(converted('t', counted)).rejects.toThrow('set "from"');
});
