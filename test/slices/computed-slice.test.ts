/** Every slice that is computed from another one has the members that its base determines. */
import { describe, expect, test } from 'vitest';
import { plainDecoding } from '../../server/dataset/decode/plan-decoding.js';
import { decodeSlice } from '../../server/dataset/decoded-slice.js';
import {
  type ArraySlice,
  combineSlices,
  createMemoryStore,
  defaultLimits,
  exceededLimits,
  guardSlice,
  interpolateSlice,
  type LazySlice,
  numberType,
  openHierarchy,
  reduceSlice,
  streamedCost,
} from '../../server/zarr/index.js';
import { anomalySlice } from '../../server/slices/axis/anomaly-slice.js';
import { rollSlice } from '../../server/slices/axis/rolling-slice.js';
import { coarsenSlice, groupSlice } from '../../server/slices/mapped/coarsened-slice.js';
import { maskSlice, type SliceMask } from '../../server/slices/masked-slice.js';
import { pickSlice } from '../../server/slices/picked-slice.js';
import { weighSlice } from '../../server/slices/weighted-slice.js';
import { resolveSelection } from '../../server/format/selection/resolve.js';

const size = 8;

/** A slice of one chunk, whose parts all need the whole chunk. */
function probe(stored: ArraySlice, before: ArraySlice): LazySlice {
  return {
    where: stored.where,
    inputs: stored.inputs,
    readBefore: [before],
    origin: stored.origin,
    dtype: stored.dtype,
    dtypeName: stored.dtypeName,
    shape: stored.shape,
    dims: stored.dims,
    extent: stored.shape.map(() => ({ kind: 'slice', start: 0 })),
    isReadWhole: true,
    isComputed: true,
    preparation: {
      bytes: 7,
      *steps() {
        yield;
      },
    },
    takesOut: false,
    select: (selection) => probe(stored.select(selection), before),
    field: () => probe(stored, before),
    cost: () => stored.cost(),
    streamedCost: () => ({ ...stored.cost(), decodedBytes: 10 * stored.cost().decodedBytes }),
    exceeded: (limits) => exceededLimits(stored.cost(), limits),
    read: (options) => stored.read(options),
    stream: (options) => stored.stream(options),
  };
}

const mask: SliceMask = {
  inputs: [],
  extent: undefined,
  addTo: (cost) => cost,
  select: () => mask,
  read: async () => ({ row: 0, column: 1, starts: new Float64Array(size + 1), runs: new Float64Array(0) }),
};
const map = { kind: 'groups', of: new Int32Array(size), count: 1 } as const;
const halfway = {
  axis: 0,
  below: Float64Array.of(0, 0),
  above: Float64Array.of(1, 1),
  share: Float64Array.of(0.5, 0.5),
};

const computed: readonly [string, (base: LazySlice, known: ArraySlice) => Promise<LazySlice> | LazySlice][] =
  [
    ['guard', async (base, known) => guardSlice(base, [{ slice: known, block: await known.read() }])],
    ['mask', (base) => maskSlice(base, mask)],
    ['weights', (base) => weighSlice(base, [weights])],
    ['pick', (base) => pickSlice(base, resolveSelection({ kind: 'all' }, base.dims))],
    ['reduce', (base) => reduceSlice(base, { by: 'MEAN', over: ['1'] })],
    ['median', (base) => reduceSlice(base, { by: 'MEDIAN', over: ['1'] })],
    ['coarsen', (base) => coarsenSlice(base, { to: [{ dim: '1', size: 2 }], method: 'MAX' })],
    ['group', (base) => groupSlice(base, { axis: 1, map, known: [] }, { by: 'MEAN' })],
    ['rolling', (base) => rollSlice(base, { dim: '1', window: 3, by: 'MEAN' })],
    ['anomaly', (base) => anomalySlice(base, { axis: 1, map, known: [] })],
    [
      'interpolation',
      (base) =>
        interpolateSlice(base, [{ name: null, made: undefined, axes: [halfway], count: 2, dropped: false }]),
    ],
    [
      'combination',
      (base) =>
        combineSlices(
          [{ slice: base, axes: [0, 1] }],
          { where: base.where, dimensionNames: [null, null], shape: base.shape },
          {
            dtype: { name: 'float32', itemSize: 4 },
            steps: 1,
            run: 5,
            workBytes: 0,
            programs: [],
            createCombiner: () => ({
              *run([bytes = new Uint8Array(0)], _, out) {
                out.set(bytes.subarray(0, out.length));
                yield;
              },
            }),
          },
        ),
    ],
    [
      'decoding',
      (base) =>
        decodeSlice(base, {
          ...plainDecoding('', { dtype: numberType('float32'), shape: base.shape }),
          isIdentity: false,
          decode: (block) => block,
        }),
    ],
  ];
const weights = {
  source: { numbers: new Float64Array(size).fill(1) },
  axes: [1],
  form: 'plain',
  label: 'w',
} as const;

describe.each(computed)('%s', (_, compute) => {
  const made = async (): Promise<{ slice: LazySlice; before: ArraySlice }> => {
    const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
    const whole = { dtype: 'float32', shape: [size, size], chunkShape: [size, size] } as const;
    const stored = (await hierarchy.createArray('/a', whole)).select({ kind: 'all' });
    const before = (await hierarchy.createArray('/b', whole)).select({ kind: 'all' });
    return { slice: await compute(probe(stored, before), before), before };
  };

  test('depends on values in any chunk, on inputs read before and on a preparation if its base does', async () => {
    const { slice, before } = await made();
    expect(slice).toMatchObject({ isReadWhole: true, isComputed: true });
    expect(slice.readBefore).toContain(before);
    expect(slice.preparation?.bytes).toBe(7);
  });

  test('charges chunks that a stream decodes again', async () => {
    const { slice } = await made();
    const limits = { ...defaultLimits, maxOutputBytes: 16 };
    const read = ({ decodedBytes, reducedBytes }: ReturnType<LazySlice['cost']>): number =>
      decodedBytes + reducedBytes;
    expect(read(streamedCost(slice, limits))).toBeGreaterThan(read(slice.cost()));
  });

  test('compares its cost with the limits', async () => {
    const { slice } = await made();
    const limits = { ...defaultLimits, maxOutputBytes: 1 };
    expect(slice.exceeded(limits)).toEqual(exceededLimits(slice.cost(), limits));
  });

  test('rejects a destination of another size, or any', async () => {
    const { slice } = await made();
    const code = slice.takesOut ? 'BAD_INPUT' : 'UNSUPPORTED';
    await expect(slice.read({ out: new Uint8Array(3) })).rejects.toMatchObject({ code });
  });
});

test.each(computed.filter(([name]) => name !== 'pick'))('%s has no fields', async (_, compute) => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const whole = { dtype: 'float32', shape: [size, size], chunkShape: [size, size] } as const;
  const stored = (await hierarchy.createArray('/a', whole)).select({ kind: 'all' });
  const slice = await compute(probe(stored, stored), stored);
  expect(() => slice.field('x')).toThrow('have no fields');
});
