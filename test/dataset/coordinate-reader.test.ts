import { expect, test } from 'vitest';
import { createCoordinateCache, createCoordinateReader } from '../../server/dataset/coordinate-reader.js';
import { planDecoding } from '../../server/dataset/decode/plan-decoding.js';
import { keysByPiece, labelKeys } from '../../server/dataset/labels/label-keys.js';
import { openDataset } from '../../server/dataset/open-dataset.js';
import { isVariable, type Variable } from '../../server/dataset/variable.js';
import {
  type Block,
  blockOfValues,
  createMemoryStore,
  type LazySlice,
  LimitError,
  numberType,
  openHierarchy,
  runToEnd,
  sizeOf,
} from '../../server/zarr/index.js';

const count = 1000;

async function coordinate(dtype: string, attributes = {}): Promise<Variable> {
  const store = createMemoryStore({ label: 'm' });
  const written = openHierarchy(store);
  await written.createGroup('/');
  const shape = { shape: [count], chunkShape: [count], dimensionNames: ['x'] };
  await written.createArray('/x', { ...shape, dtype, attributes });
  const hierarchy = openHierarchy(store);
  const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
  const variable = dataset.variables.get('x');
  if (!isVariable(variable)) throw variable ?? new Error('no variable');
  return variable;
}

test('labels are reserved and counted by the cache with the memory that they occupy', async () => {
  const cases = [
    { dtype: 'float64', attributes: { units: 'hours since 2000-01-01' }, keys: 8 * count, stored: 8 * count },
    { dtype: 'int16', attributes: { units: 'hours since 2000-01-01' }, keys: 0, stored: 2 * count },
    { dtype: 'int16', attributes: { scale_factor: 0.5 }, keys: 8 * count, stored: 2 * count },
    { dtype: 'float64', attributes: {}, keys: 0, stored: 8 * count },
  ];
  for (const { dtype, attributes, keys, stored } of cases) {
    const reserved: number[] = [];
    const cache = createCoordinateCache();
    const variable = await coordinate(dtype, attributes);
    const read = (slice: LazySlice) => slice.read();
    const reader = createCoordinateReader(cache, read, { reserve: (bytes) => void reserved.push(bytes) });
    await reader.labels(variable);
    expect(reserved).toEqual(keys === 0 ? [] : [keys]);
    expect(cache.calculatedSize - stored - keys).toBeLessThan(2000);
    expect(cache.calculatedSize).toBeGreaterThanOrEqual(stored + keys);
    // Labels in the cache are not part of the request.
    await createCoordinateReader(cache, read, { reserve: (bytes) => void reserved.push(bytes) }).labels(
      variable,
    );
    expect(reserved).toEqual(keys === 0 ? [] : [keys]);
  }
});

test('labels that are read in order are decoded piece by piece, and take no memory', async () => {
  const size = 3 * 2 ** 12 + 5;
  const cases = [
    { dtype: numberType('int16'), attributes: { units: 'hours since 2000-01-01' } },
    { dtype: numberType('int16'), attributes: { units: 'days since 2000-01-01', calendar: 'noleap' } },
    { dtype: numberType('int16'), attributes: { scale_factor: 0.5, _FillValue: 7 } },
    { dtype: numberType('uint8'), attributes: {} },
  ];
  for (const { dtype, attributes } of cases) {
    const values = Array.from({ length: size }, (_, i) => (i * 7919) % 250);
    const stored = blockOfValues(values, dtype, size);
    const shape = stored.shape;
    const decoding = planDecoding({ name: 'x', zarrFormat: 3, dtype, shape, attributes, fill: undefined });
    const all = runToEnd(labelKeys(stored, decoding));
    let [largest, decoded] = [0, 0];
    const observed = (block: Block): void => {
      const count = sizeOf(block.shape);
      largest = Math.max(largest, count);
      decoded += count;
    };
    const { times } = decoding;
    const keys = keysByPiece(stored, {
      ...decoding,
      decode: (block) => (observed(block), decoding.decode(block)),
      times: times && { ...times, ticks: (block) => (observed(block), times.ticks(block)) },
    });
    expect([keys.size, keys.form, keys.heldBytes]).toEqual([size, all.form, 0]);
    for (let i = 0; i < size; i++) if (keys.at(i) !== all.at(i)) expect(keys.at(i)).toBe(all.at(i));
    expect([keys.at(2), keys.at(size - 1)]).toEqual([all.at(2), all.at(size - 1)]);
    expect(largest).toBeLessThanOrEqual(2 ** 12);
    expect(decoded).toBeLessThan(2 * size);
  }
  const reserved: number[] = [];
  const variable = await coordinate('int16', { units: 'hours since 2000-01-01' });
  const limits = { reserve: (bytes: number) => void reserved.push(bytes) };
  const reader = createCoordinateReader(createCoordinateCache(), (slice) => slice.read(), limits);
  const { keys } = await reader.labelsInOrder(variable);
  expect([keys.size, keys.heldBytes, reserved]).toEqual([count, 0, []]);
});

test('text stays in the form of the store', async () => {
  const reserved: number[] = [];
  const cache = createCoordinateCache();
  const variable = await coordinate('|S1');
  const reader = createCoordinateReader(cache, (slice) => slice.read(), { reserve: (bytes) => void reserved.push(bytes) }); // prettier-ignore
  const { keys } = await reader.labels(variable);
  expect([keys.size, keys.heldBytes, reserved]).toEqual([count, 0, []]);
  expect(cache.calculatedSize).toBeLessThan(4 * count);
});

test('a request that may not reserve memory fails before labels are decoded, and others succeed', async () => {
  const cache = createCoordinateCache();
  const variable = await coordinate('float64', { units: 'hours since 2000-01-01' });
  const refused = createCoordinateReader(cache, (slice) => slice.read(), {
    reserve() {
      throw new LimitError('no memory', { excess: [] });
    },
  });
  await expect(refused.labels(variable)).rejects.toThrow('no memory');
  const { keys } = await createCoordinateReader(cache, (slice) => slice.read()).labels(variable);
  expect(keys.at(0)).toBe(keys.at(1));
});

test('equal lists of labels are looked up once, and charged by the logarithm of the number of labels', async () => {
  const charged: number[] = [];
  const variable = await coordinate('int16', { units: 'hours since 2000-01-01' });
  const limits = { chargeLookUps: (positions: number) => void charged.push(positions) };
  const reader = createCoordinateReader(createCoordinateCache(), (slice) => slice.read(), limits);
  const index = await reader.index(variable);
  const values = ['2001', '2002'];
  const select = (list: readonly string[]) =>
    index.select({ kind: 'values', values: list }, reader.chargeLookUps);
  const [first, second] = [select(values), select(values)];
  await expect(first).rejects.toThrow('no label "2001"');
  await expect(second).rejects.toThrow('no label "2001"');
  expect(charged).toEqual([6]);
  await expect(select([...values])).rejects.toThrow('no label "2001"');
  expect(charged).toEqual([6, 6]);
});

/** A store with a coordinate of `size` numbers, and what it takes to read it with one cache. */
async function remembered(values: ArrayLike<number>, dtype = 'int32', attributes = {}) {
  const store = createMemoryStore({ label: 'm' });
  const written = openHierarchy(store);
  await written.createGroup('/');
  const shape = { shape: [values.length], chunkShape: [2 ** 15], dimensionNames: ['x'] };
  const array = await written.createArray('/x', { ...shape, dtype, attributes });
  await array.select().write(Array.from(values));
  const cache = createCoordinateCache();
  const charged: string[] = [];
  return {
    cache,
    array,
    charged,
    async open() {
      const hierarchy = openHierarchy(store);
      const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
      const variable = dataset.variables.get('x');
      if (!isVariable(variable)) throw variable ?? new Error('no variable');
      let reads = 0;
      const read = (slice: LazySlice, options = {}) => (reads++, slice.read(options));
      const chargeRemembered = (slice: LazySlice) => void charged.push(slice.where.path ?? '');
      const reader = createCoordinateReader(cache, read, { chargeRemembered });
      return { ...(await reader.labels(variable)), reads: () => reads, index: await reader.index(variable) };
    },
  };
}

const long = 2 ** 16 + 5;

test('labels are read again only if the version of a chunk has changed, and charged as if they were', async () => {
  const { open, array, charged } = await remembered(Float64Array.from({ length: long }, (_, i) => (i * i) % 977));
  expect((await open()).reads()).toBe(1);
  const again = await open();
  expect([again.reads(), charged]).toEqual([0, ['/x']]);
  expect(again.keys.at(2)).toBe(4);
  await array.select({ kind: 'dims', dims: [{ kind: 'index', index: 2 }] }).write(-7);
  const changed = await open();
  expect([changed.reads(), changed.keys.at(2), changed.keys.at(3)]).toEqual([1, -7, 9]);
}); // prettier-ignore

test('long labels at equal distances take no memory', async () => {
  for (const [dtype, attributes, step, second] of [
    ['int32', {}, 3, 4],
    ['float64', {}, 0.5, 1.5],
    ['int64', { units: 'minutes since 2000-01-01' }, 2, BigInt(Date.UTC(2000, 0, 1, 0, 3) / 1000)],
  ] as const) {
    const values = Float64Array.from({ length: long }, (_, i) => 1 + i * step);
    const { open, cache } = await remembered(values, dtype, attributes);
    const { keys, known, index } = await open();
    expect(cache.calculatedSize).toBeLessThan(2000);
    expect(known.block).toBeUndefined();
    expect(index.order).toBe('ascending');
    expect([keys.at(-1), keys.at(1), keys.at(long)]).toEqual([undefined, second, undefined]);
    const label = dtype === 'int64' ? '2000-01-01T00:03' : Number(second);
    const found = runToEnd(index.find({ kind: 'values', values: [label] }));
    expect(found).toEqual({ kind: 'indices', indices: [1] });
    expect(keys.show(1)).toContain(dtype === 'int64' ? '2000-01-01T00:03:00' : String(second));
  }
});
