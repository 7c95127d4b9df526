/** Slices that depend on values read earlier have the properties and costs of their base. */
import { expect, test } from 'vitest';
import {
  defaultLimits,
  openHierarchy,
  createMemoryStore,
  numberType,
  streamedCost,
} from '../../server/zarr/index.js';
import { needOfRead } from '../../server/memory/needs.js';
import { anomalySlice } from '../../server/slices/axis/anomaly-slice.js';
import { interpolateSlice } from '../../server/slices/axis/interpolated-slice.js';
import { rollSlice } from '../../server/slices/axis/rolling-slice.js';
import { pickSlice } from '../../server/slices/picked-slice.js';
import { resolveSelection } from '../../server/format/selection/resolve.js';
import { groupSlice } from '../../server/slices/mapped/coarsened-slice.js';
import { guardSlice } from '../../server/slices/guarded-slice.js';
import type { LazySlice } from '../../server/slices/lazy-slice.js';

/** Between the first two positions. */
const halfway = {
  axis: 0,
  below: Float64Array.of(0),
  above: Float64Array.of(1),
  share: Float64Array.of(0.5),
};

const dataType = { dtype: 'uint8', chunkShape: [10] } as const;

test('a guarded slice has the stream cost, extent and block ends of its base', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape: [100], ...dataType });
  const coordinate = (await hierarchy.createArray('/x', { shape: [20], ...dataType })).select({
    kind: 'all',
  });
  const stored = array.select({ kind: 'all' });
  const blockEnd = (): number => 7;
  const base: LazySlice = {
    where: stored.where,
    inputs: stored.inputs,
    origin: stored.origin,
    dtype: stored.dtype,
    dtypeName: stored.dtypeName,
    shape: stored.shape,
    dims: stored.dims,
    takesOut: false,
    select: () => base,
    field: () => base,
    cost: () => stored.cost(),
    streamedCost: () => ({ ...stored.cost(), decodedBytes: 5000 }),
    exceeded: () => [],
    read: (options) => stored.read(options),
    stream: (options) => stored.stream(options),
    extent: [{ kind: 'slice', start: 3, stop: 9 }],
    isReadWhole: true,
    isComputed: true,
    blockEndAlong: () => blockEnd,
  };
  const guarded = guardSlice(base, [{ slice: coordinate, block: await coordinate.read() }]);
  expect(guarded.cost().decodedBytes).toBe(120);
  expect(streamedCost(guarded, defaultLimits).decodedBytes).toBe(5020);
  expect(guarded.extent).toEqual(base.extent);
  expect(guarded).toMatchObject({ isReadWhole: true, isComputed: true });
  expect(guarded.blockEndAlong?.(0)).toBe(blockEnd);
});

test('a stream reads the known values within the limits of the request', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }), { limits: { maxDecodedBytes: 50 } });
  const all = { kind: 'all' } as const;
  const base = (await hierarchy.createArray('/a', { shape: [10], ...dataType })).select(all);
  const coordinate = (await hierarchy.createArray('/x', { shape: [60], ...dataType })).select(all);
  const limits = { ...defaultLimits, maxDecodedBytes: 100 };
  const guarded = guardSlice(base, [{ slice: coordinate, block: await coordinate.read({ limits }) }]);
  let count = 0;
  for await (const { block } of guarded.stream({ limits })) count += block.shape[0] ?? 0;
  expect(count).toBe(10);
  await expect(guarded.read()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('values that are compared before a read need no memory beside it', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const size = 2 ** 26;
  const whole = { dtype: 'uint8', shape: [size], chunkShape: [size] } as const;
  const base = (await hierarchy.createArray('/a', whole)).select({ kind: 'all' });
  const coordinate = (await hierarchy.createArray('/x', whole)).select({ kind: 'all' });
  const block = { dtype: numberType('uint8'), shape: [size], bytes: new Uint8Array(0) };
  const guarded = guardSlice(base, [{ slice: coordinate, block }]);
  const map = { kind: 'groups', of: new Int32Array(size), count: 1 } as const;
  const request = { by: 'MEAN' } as const;
  const grouped = groupSlice(base, { axis: 0, map, known: [{ slice: coordinate, block }] }, request);
  const alone = needOfRead(coordinate);
  for (const slice of [guarded, grouped])
    expect(needOfRead(slice).inFlightBytes).toBeLessThan(alone.resultBytes + alone.inFlightBytes + 1000);
  const derived: readonly ((input: LazySlice) => LazySlice)[] = [
    (input) => rollSlice(input, { dim: '0', window: 3, by: 'MEAN' }),
    (input) =>
      interpolateSlice(input, [{ name: null, made: undefined, axes: [halfway], count: 1, dropped: false }]),
    (input) => anomalySlice(input, { axis: 0, map, known: [] }),
    (input) => pickSlice(input, resolveSelection({ kind: 'all' }, input.dims)),
  ];
  for (const derive of derived) {
    const [own, without] = [derive(guarded), derive(base)].map((slice) => needOfRead(slice).inFlightBytes);
    // The chunk of the coordinate is compared before that of the values is read.
    expect((own ?? NaN) - (without ?? NaN)).toBeLessThan(size + 1000);
  }
});

test('an interpolation at many points is planned in steps, after the memory of its points has been reserved', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape: [1000, 1000], ...dataType, chunkShape: [10, 10] });
  const count = 5000;
  const along = (axis: number) => ({
    axis,
    below: Float64Array.from({ length: count }, (_, i) => i % 999),
    above: Float64Array.from({ length: count }, (_, i) => (i % 999) + 1),
    share: new Float64Array(count).fill(0.5),
  });
  const dim = { name: null, made: undefined, axes: [along(0), along(1)], count, dropped: false };
  const known = [{ slice: array.select('0, 0'), block: await array.select('0, 0').read() }];
  const slice = guardSlice(interpolateSlice(array.select(), [dim]), known);
  const { preparation } = slice;
  // Four neighbours of two positions each.
  expect(preparation?.bytes).toBeGreaterThan(4 * count * 2 * 8);
  expect([...(preparation?.steps() ?? [])].length).toBeGreaterThan(10);
  expect([...(preparation?.steps() ?? [])]).toHaveLength(0);
  expect(slice.cost().work).toBeGreaterThan(0);
});
