/** Every pixel of a picture has the same colour as in matplotlib. */
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../server/zarr/index.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { arrayDocument, ask } from '../resolvers/gateway-client.js';
import { fixtures } from '../setup/fixtures.js';

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

test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
  const { options } = one;
  const store = createMemoryStore({ label: 'm' });
  const document = arrayDocument(one.dtype, one.shape, {
    chunk_grid: { name: 'regular', configuration: { chunk_shape: one.shape } },
  });
  await store.set('a/zarr.json', Buffer.from(JSON.stringify(document)));
  await store.set(`a/c/${one.shape.map(() => 0).join('/')}`, Buffer.from(one.values, 'base64'));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const { data, errors } = await ask(gateway, query, {
    width: options.width,
    height: options.height,
    range: options.range && { min: options.range[0], max: options.range[1] },
    map: options.stops ? { stops: options.stops } : options.map && { name: options.map },
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
});
