/** Selections of addresses: the positions of a view as labels, and labels as positions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ndarray } from 'zarrql-client';
import { parseDataType } from '../../../client/ndarray/data-type.js';
import { createFromJson } from '../../../client/ndarray/from-items.js';
import { labelsOf, type Labels } from '../../../explorer/src/array/labels.js';
import type { Dimension } from '../../../explorer/src/array/model.js';
import {
  type Dimensions,
  namingOf,
  resolveRemotely,
  resolveWritten,
} from '../../../explorer/src/array/written.js';
import { formatLink, parseLink } from '../../../explorer/src/state/link.js';
import { emptyView, type View } from '../../../explorer/src/state/view.js';

const seconds = parseDataType({ name: 'numpy.datetime64', kind: 'DATETIME', numpy: '<M8[s]', itemSize: 8, unit: 's' }); // prettier-ignore
const dates = (values: string[]): Labels => labelsOf(createFromJson({ type: seconds, shape: [values.length], values, dimensions: [null] })); // prettier-ignore
const numbers = (values: readonly number[]): Labels => labelsOf(ndarray(Float64Array.from(values), [values.length])); // prettier-ignore

function dimension(key: string, labels: Labels | undefined, part: Partial<Dimension> = {}): Dimension {
  return {
    key,
    name: key,
    size: labels?.size ?? 10,
    chunkSize: 10,
    chunkCount: 1,
    units: undefined,
    role: undefined,
    isDownwards: false,
    labels,
    sample: undefined,
    coordinate: labels && { store: 's', group: '/', name: key, isNumber: true, isDate: false },
    ...part,
  };
}

const months = Array.from(
  { length: 12 },
  (_, month) => `2021-${String(month + 1).padStart(2, '0')}-15T00:00:00`,
);
const model: Dimensions = {
  dimensions: [
    dimension('time', dates(months)),
    dimension('lat', numbers([7, 5, 3, 1, -1, -3, -5, -7])),
    dimension('lon', numbers([0.5, 60.5, 120.5, 180.5, 240.5, 300.5]), { role: 'longitude' }),
    dimension('z', undefined),
  ],
};

const found = (select: string) => {
  const view = parseLink(`#/s/sst?select=${select}`);
  const resolution = resolveWritten(model, view);
  const { at, span, written } = { ...view, ...resolution?.part };
  expect(written).toBeUndefined();
  return { at, span, problems: resolution?.problems };
};

test('labels, ranges of labels and positions become the positions of the view', () => {
  expect(found('time=2021-03,lat=-5..5,lon=181,z=3')).toEqual({
    at: { time: 2, lon: 3, z: 3 },
    span: { lat: [1, 7] },
    problems: [],
  });
  expect(found('time=2021-03..2021-05,lat=..0,z=[-3:]')).toEqual({
    at: {},
    span: { time: [2, 5], lat: [4, 8], z: [7, 10] },
    problems: [],
  });
  expect(found('time=#-1,lat=~4.9,z=[2]')).toEqual({
    at: { time: 11, lat: 1, z: 2 },
    span: {},
    problems: [],
  });
  expect(found('2, 3:5, ..., #1')).toEqual({ at: { time: 2, z: 1 }, span: { lat: [3, 5] }, problems: [] });
});

test('longitudes are found on the circle', () => {
  expect(found('lon=-60')).toMatchObject({ at: { lon: 5 } });
  expect(found('lon=-130..-50')).toMatchObject({ span: { lon: [4, 6] } });
});

test('what cannot be found is reported, and the rest is used', () => {
  expect(found('time=2021-03,lat=50..60,height=2,z=12')).toEqual({
    at: { time: 2 },
    span: {},
    problems: [
      'The selection of “lat” matches no position.',
      'The array has no dimension “height”.',
      'The selection of “z” matches no position.',
    ],
  });
  expect(found('time=')).toEqual({
    at: {},
    span: {},
    problems: ['The selection “time=”: column 6: expected a value after "time=".'],
  });
});

test('long coordinates are looked up by the gateway', async () => {
  const long = { dimensions: [dimension('time', undefined, { coordinate: { store: 's', group: '/', name: 'time', isNumber: false, isDate: true } }), dimension('z', undefined)] }; // prettier-ignore
  const view = parseLink('#/s/sst?select=time=2021-03,z=4');
  expect(resolveWritten(long, view)).toBeUndefined();
  const asked: unknown[] = [];
  const resolution = await resolveRemotely(
    long,
    view,
    { select: 'time=2021-03,z=4', at: undefined, minusAt: undefined },
    async (dim, by) => {
      asked.push([dim.key, by.kind]);
      return 77;
    },
  );
  expect(asked).toEqual([['time', 'label']]);
  expect(resolution).toMatchObject({ part: { at: { time: 77, z: 4 }, written: undefined }, problems: [] });
});

describe('addresses have labels where they lead back', () => {
  const link = (part: Partial<View>) => formatLink({ ...emptyView, store: 's', path: '/sst', ...part }, namingOf(model)); // prettier-ignore

  test('months, numbers and ranges', () => {
    expect(link({ at: { time: 2, lon: 3, z: 1 }, span: { lat: [1, 7] } })).toBe(
      '#/s/sst?select=time=2021-03,lon=180.5,z=#1,lat=-5..5',
    );
    expect(link({ span: { time: [2, 5], z: [1, 3] } })).toBe('#/s/sst?select=time=2021-03..2021-05,z=[1:3]');
  });

  test('labels that occur twice, or look like positions, are not ambiguous', () => {
    const labels = labelsOf(createFromJson({ type: parseDataType({ name: 'string', kind: 'STRING', numpy: null, itemSize: null }), shape: [5], values: ['a', 'a', '1:2', '#3', 'x,y'], dimensions: [null] })); // prettier-ignore
    const odd: Dimensions = { dimensions: [dimension('name', labels)] };
    const texts = [0, 1, 2, 3, 4].map((index) => namingOf(odd).labelText('name', index));
    expect(texts).toEqual(['a', undefined, '"1:2"', '"#3"', '"x,y"']);
    const days = dates(['2021-03-01T00:00:00', '2021-03-02T00:00:00', '2021-03-02T06:00:00']);
    const daily: Dimensions = { dimensions: [dimension('time', days)] };
    expect([0, 1, 2].map((index) => namingOf(daily).labelText('time', index))).toEqual(['2021-03-01', '2021-03-02', '2021-03-02T06:00:00']); // prettier-ignore
  });

  test('every view leads back to itself', () => {
    const floats = fc.uniqueArray(fc.float({ noNaN: true, noDefaultInfinity: true, min: -400, max: 400 }), { minLength: 2, maxLength: 30 }); // prettier-ignore
    const ascending = fc.boolean();
    fc.assert(
      fc.property(
        floats,
        ascending,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('longitude', undefined),
        (values, rises, a, b, role) => {
          const sorted = values.map((value) => value + 0).sort((x, y) => (rises ? x - y : y - x));
          const labels = labelsOf(ndarray(Float32Array.from(sorted), [sorted.length]));
          const one: Dimensions = { dimensions: [dimension('x', labels, { role })] };
          const [start, index] = [a % sorted.length, b % sorted.length];
          const view: View = { ...emptyView, store: 's', path: '/sst', at: { x: index }, span: { x: [start, start + 1 + (b % (sorted.length - start))] } }; // prettier-ignore
          const parsed = parseLink(formatLink(view, namingOf(one)));
          const resolution = resolveWritten(one, parsed);
          expect(resolution?.problems).toEqual([]);
          expect({ ...parsed, ...resolution?.part }).toEqual(view);
        },
      ),
    );
  });
});
