/** Compares every pixel of pictures with matplotlib, and tests the ticks of legends. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { createGateway, fullAccess } from '../server/index.js';
import { scaleTicks } from '../server/pictures/legend/ticks.js';
import type { ScalePainting } from '../server/pictures/paint/painting.js';
import { createMemoryStore, type DataType } from '../server/zarr/index.js';
import { arrayDocument, execute } from './resolvers/gateway-client.js';
import { fixtures } from './setup/fixtures.js';

interface Case {
  readonly name: string;
  readonly dtype: string;
  readonly shape: number[];
  readonly values: string;
  readonly options: {
    readonly range?: readonly [number, number];
    readonly map?: string;
    readonly stops?: readonly unknown[];
    readonly scale?: string;
    readonly width?: number;
    readonly height?: number;
  };
  readonly width: number;
  readonly height: number;
  readonly rgba: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync(`${fixtures}analysis/pictures.json`, 'utf8'));

const query = `query ($width: Int, $height: Int, $range: ValueRange, $map: ColorMapInput, $scale: ColorScale!) {
  store(name: "m") { array(path: "a") { slice {
    image(width: $width, height: $height, range: $range, colorMap: $map, scale: $scale) { href width height }
  } } } }`;

test.each(cases.map((one) => [one.name, one] as const))(
  'every pixel equals the reference picture: %s',
  async (_, one) => {
    const { options } = one;
    const store = createMemoryStore({ label: 'm' });
    const document = arrayDocument(one.dtype, one.shape, {
      chunk_grid: { name: 'regular', configuration: { chunk_shape: one.shape } },
    });
    await store.set('a/zarr.json', Buffer.from(JSON.stringify(document)));
    await store.set(`a/c/${one.shape.map(() => 0).join('/')}`, Buffer.from(one.values, 'base64'));
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const { data, errors } = await execute(gateway, query, {
      width: options.width,
      height: options.height,
      range: options.range && { min: options.range[0], max: options.range[1] },
      map: options.stops ? { stops: options.stops } : options.map && { name: options.map.toUpperCase() },
      scale: options.scale ?? 'LINEAR',
    });
    expect(errors).toEqual([]);
    const { href, width, height } = data.store.array.slice.image;
    expect([width, height]).toEqual([one.width, one.height]);
    const response = await gateway.fetch(new Request(new URL(href, 'http://localhost/graphql')), fullAccess);
    expect(response.headers.get('content-type')).toBe('image/png');
    const png = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect([png.width, png.height]).toEqual([one.width, one.height]);
    const expected = Buffer.from(one.rgba, 'base64');
    const wrong = [...png.data.keys()].filter((i) => png.data[i] !== expected[i]);
    expect(wrong.slice(0, 8).map((i) => [i, png.data[i], expected[i]])).toEqual([]);
  },
);

// Ticks are at round values within the range, and equal their labels.

const float: DataType = { name: 'float64', itemSize: 8 };
const seconds: DataType = { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 };

function scale(min: number, max: number, log?: true): ScalePainting {
  return { kind: 'scale', min, max, ...(log === undefined ? {} : { log }), colours: { name: 'viridis' } };
}

function labels(painting: ScalePainting, dtype = float, most = 7): readonly string[] {
  return scaleTicks(painting, dtype, most).map(({ label }) => label);
}

test.each([
  [0, 30, ['0', '5', '10', '15', '20', '25', '30']],
  [-2, 30, ['0', '10', '20', '30']],
  [-0.35, 0.35, ['−0.2', '0', '0.2']],
  [250, 310, ['250', '260', '270', '280', '290', '300', '310']],
  [1e-9, 3e-9, ['1·10⁻⁹', '1.5·10⁻⁹', '2·10⁻⁹', '2.5·10⁻⁹', '3·10⁻⁹']],
  [1e20, 2e20, ['1·10²⁰', '1.2·10²⁰', '1.4·10²⁰', '1.6·10²⁰', '1.8·10²⁰', '2·10²⁰']],
])('ticks of a linear scale from %d to %d', (min, max, expected) => {
  expect(labels(scale(min, max))).toEqual(expected);
});

test.each([
  [0.01, 1000, ['0.01', '0.1', '1', '10', '100', '1000']],
  [1, 1e12, ['1', '100', '10000', '10⁶', '10⁸', '10¹⁰', '10¹²']],
  [1.2, 19, ['2', '5', '10']],
  [1.2, 1.3, ['1.2', '1.3']],
  [1e-7, 1, ['10⁻⁶', '0.0001', '0.01', '1']],
])('ticks of a logarithmic scale from %d to %d', (min, max, expected) => {
  expect(labels(scale(min, max, true))).toEqual(expected);
});

test.each([
  [0, 86_400 * 1000, ['1970-01', '1971-05', '1972-09']],
  [0, 86_400 * 10, ['1970-01-01', '1970-01-06', '1970-01-11']],
  [0, 86_400, ['1970-01-01 00:00', '1970-01-01 12:00', '1970-01-02 00:00']],
  [0, 60, ['1970-01-01 00:00:00', '1970-01-01 00:00:30', '1970-01-01 00:01:00']],
])('ticks of dates from %d to %d seconds', (min, max, expected) => {
  expect(labels(scale(min, max), seconds)).toEqual(expected);
});

/** The number in a label. */
function valueOf(label: string): number {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const plain = Array.from(label.replaceAll('−', '-').replace('⁻', '-'))
    .map((one) => (digits.includes(one) ? String(digits.indexOf(one)) : one))
    .join('');
  const [, factor, power] = /^(?:(-?[\d.]+)·)?10(-?\d+)$/.exec(plain) ?? [];
  return /[⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(label) && power !== undefined
    ? Number(`${factor ?? '1'}e${power}`)
    : Number(plain);
}

const end = fc.double({ min: -1e15, max: 1e15, noNaN: true });

test('labels state the values at their positions', () => {
  fc.assert(
    fc.property(end, end, fc.integer({ min: 2, max: 9 }), (a, b, most) => {
      fc.pre(Math.abs(a - b) > 1e-3 * (Math.abs(a) + Math.abs(b)) && Math.abs(a - b) > 1e-300);
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      const ticks = scaleTicks(scale(min, max), float, most);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      for (const { share, label } of ticks) {
        expect(share >= 0 && share <= 1).toBe(true);
        // Labels show four digits.
        const size = Math.max(Math.abs(min), Math.abs(max));
        expect(Math.abs(min + share * (max - min) - valueOf(label))).toBeLessThanOrEqual(1e-3 * size);
      }
      const shares = ticks.map(({ share }) => share);
      expect(shares).toEqual(shares.toSorted((p, q) => p - q));
    }),
  );
});

test('labels of a logarithmic scale are positioned by value', () => {
  const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      fc.pre(max / min > 1.01);
      for (const { share, label } of scaleTicks(scale(min, max, true), float, 7)) {
        const at = Math.log10(min) + share * (Math.log10(max) - Math.log10(min));
        expect(Math.abs(at - Math.log10(valueOf(label)))).toBeLessThan(1e-3);
      }
    }),
  );
});
