/**
 * Stores with real measurements: every variable has the statistics computed by xarray and zarr-python
 * (`summary.json`, after masking and scaling as test/fixtures/README.md describes).
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  dataOf,
  openHierarchy,
  toTypedArray,
  type Hierarchy,
  type ZarrArray,
} from '../../server/zarr/index.js';
import { openFixture } from './cases.js';
import { fixtures } from '../setup/fixtures.js';

interface Summary {
  readonly shape: number[];
  /** Values that are neither masked nor infinite. */
  readonly valid: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly probes: { readonly index: number[]; readonly value: number | null }[];
}
interface TimeSummary {
  readonly first: string;
  readonly last: string;
}

const examples = fileURLToPath(new URL('../../examples/data/', import.meta.url));
const summary: Record<string, Record<string, Summary | TimeSummary>> = JSON.parse(
  readFileSync(`${fixtures}real/summary.json`, 'utf8'),
);

function folderOf(name: string): string {
  return existsSync(examples + name) ? examples + name : `${fixtures}real/${name}`;
}

async function openReal(name: string): Promise<Hierarchy> {
  return openHierarchy(await openFixture(folderOf(name)));
}

/** The missing values that the attributes of an array declare. */
function masksOf(array: ZarrArray, store: string): number[] {
  const { attributes, fill, dtype } = array.meta;
  const given = [attributes['_FillValue'], attributes['missing_value']].flatMap((value) => {
    if (typeof value === 'string') return [Buffer.from(value, 'base64').readDoubleLE()];
    return typeof value === 'number' ? [value] : [];
  });
  // In v2, xarray stores `_FillValue` as the fill value of the array.
  if (given.length === 0 && store === 'navy_winds_v2.zarr' && dtype.name === 'int16' && 'bytes' in fill)
    given.push(Buffer.from(fill.bytes).readInt16LE());
  return dtype.name === 'float32' ? given.map(Math.fround) : given;
}

async function decodedValues(array: ZarrArray, store: string): Promise<Float64Array> {
  const raw = toTypedArray(await array.select({ kind: 'all' }).read());
  const { scale_factor: scale = 1, add_offset: offset = 0 } = array.meta.attributes;
  const masks = new Set(masksOf(array, store));
  return Float64Array.from(raw as ArrayLike<number>, (value) =>
    masks.has(value) ? NaN : value * Number(scale) + Number(offset),
  );
}

/** Formats hours since a reference time in the proleptic Gregorian calendar. */
function timeText(units: string, hours: number): string {
  const [, year = '', month, day, hour = 0] =
    /^"hour since (\d+)-(\d+)-(\d+) (\d+):00:00"$/.exec(units) ?? [];
  const start = new Date(0);
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  start.setUTCHours(Number(hour));
  return new Date(start.getTime() + hours * 3_600_000).toISOString().slice(0, 19);
}

const variables = Object.entries(summary).flatMap(([store, all]) =>
  Object.entries(all).map(([name, one]) => ({ store, name, one })),
);

describe('real stores', () => {
  test('the summary covers more than 20 variables', () => expect(variables.length).toBeGreaterThan(20));

  test.each(variables)('$store $name', async ({ store, name, one }) => {
    const array = await (await openReal(store)).array(name);
    if (!('valid' in one)) {
      const hours = dataOf(await array.select({ kind: 'all' }).read(), 'float64');
      const units = JSON.stringify(array.meta.attributes['units']);
      const texts = [hours.at(0), hours.at(-1)].map((value) => timeText(units, value ?? NaN));
      expect(texts).toEqual([one.first, one.last].map((text) => text.replace(' ', 'T').slice(0, 19)));
      return;
    }
    expect(array.shape).toEqual(one.shape);
    const values = await decodedValues(array, store);
    const valid = values.filter((value) => Number.isFinite(value));
    expect(valid.length).toBe(one.valid);
    expect(valid.reduce((a, b) => Math.min(a, b), Infinity)).toBe(one.min);
    expect(valid.reduce((a, b) => Math.max(a, b), -Infinity)).toBe(one.max);
    const mean = valid.reduce((a, b) => a + b, 0) / valid.length;
    const scale = Math.max(Math.abs(one.min), Math.abs(one.max));
    expect(Math.abs(mean - one.mean) / scale).toBeLessThan(1e-12);
    for (const { index, value } of one.probes) {
      const at = index.reduce((sum, i, d) => sum * (one.shape[d] ?? 1) + i, 0);
      expect(values[at]).toBe(value ?? NaN);
    }
  });

  test.each(Object.keys(summary))('%s: attributes equal those in the documents', async (store) => {
    const hierarchy = await openReal(store);
    let count = 0;
    for await (const { path, kind, open } of hierarchy.walk('/', { recursive: true })) {
      if (kind !== 'array') continue;
      const { attributes } = open().meta;
      const folder = folderOf(store) + path;
      const [v3, v2] = [`${folder}/zarr.json`, `${folder}/.zattrs`];
      if (existsSync(v3)) expect(attributes).toEqual(JSON.parse(readFileSync(v3, 'utf8')).attributes);
      else expect(attributes).toEqual(existsSync(v2) ? JSON.parse(readFileSync(v2, 'utf8')) : {});
      count++;
    }
    expect(count).toBeGreaterThanOrEqual(Object.keys(summary[store] ?? {}).length);
  });

  test.each(['coads.zarr', 'navy_winds_v2.zarr', 'etopo20_sharded.zarr'])(
    '%s: the consolidated listing equals the listing of the store',
    async (store) => {
      const hierarchy = await openReal(store);
      expect(await hierarchy.group('/')).toMatchObject({ consolidated: true });
      const listed: unknown[] = [];
      const stored: unknown[] = [];
      for await (const entry of hierarchy.walk('/')) listed.push([entry.path, entry.open().meta]);
      for await (const entry of hierarchy.walk('/', { refresh: true }))
        stored.push([entry.path, entry.open().meta]);
      expect(JSON.stringify(listed)).toBe(JSON.stringify(stored));
      expect(listed.length).toBe(Object.keys(summary[store] ?? {}).length);
    },
  );

  test('the zip file has the same content as the folder', async () => {
    const [folder, zip] = await Promise.all([openReal('coads.zarr'), openReal('coads.zarr.zip')]);
    const names: string[] = [];
    for await (const entry of zip.walk('/', { refresh: true })) {
      const [a, b] = [await folder.array(entry.path), await zip.array(entry.path)];
      const [left, right] = [await a.select({ kind: 'all' }).read(), await b.select({ kind: 'all' }).read()];
      expect('bytes' in left && 'bytes' in right && Buffer.compare(left.bytes, right.bytes)).toBe(0);
      expect(a.meta.attributes).toEqual(b.meta.attributes);
      names.push(entry.name);
    }
    expect(names.toSorted()).toEqual(Object.keys(summary['coads.zarr'] ?? {}).toSorted());
  });
});

describe('NCZarr', () => {
  test('characters of type >S1, which other readers reject, are read', async () => {
    const month = await (await openReal('nczarr.zarr')).array('flux/month');
    expect(month.shape).toEqual([12, 8]);
    expect(month.dimensionNames).toEqual(['time', 'strlen']);
    const block = await month.select({ kind: 'all' }).read();
    const rows = dataOf(block, 'null_terminated_bytes').map((bytes) => Buffer.from(bytes).toString());
    const texts = Array.from({ length: 12 }, (_, i) => rows.slice(i * 8, i * 8 + 8).join(''));
    expect(texts).toEqual('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '));
  });

  test('a scalar is an array with one value', async () => {
    const scalar = await (await openReal('nczarr.zarr')).array('flux/scalar');
    expect(scalar.shape).toEqual([1]);
    expect([...dataOf(await scalar.select({ kind: 'all' }).read(), 'int32')]).toEqual([7]);
  });

  test('dimension names are in _ARRAY_DIMENSIONS', async () => {
    const sst = await (await openReal('nczarr.zarr')).array('SST');
    expect(sst.dimensionNames).toEqual(['time', 'y', 'x']);
  });
});
