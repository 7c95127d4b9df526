/** Reads of arrays whose chunks have different lengths, in every way of reading. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CodecPool,
  createMemoryStore,
  type JsonValue,
  openHierarchy,
  parseSelection,
  reduceSlice,
  type Selection,
  toTypedArray,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import { partOfPlan, planRead, planTasks } from '../../../server/format/plan/plan.js';
import { changed } from '../../setup/changed.js';
import { counted, filesAt, hierarchiesOf, isBuilt, startPool, temporaryFolder } from './threads.js';

const shape = [61, 47, 30];
const size = 61 * 47 * 30;
const lengths = [[20, [3, 4], 1, 28], 9, [10, 1, 12, 8]] as const;
const names = ['a', 'b', 'c'];
const rows = [20, 3, 3, 3, 3, 1, 28];
const little: JsonValue = { name: 'bytes', configuration: { endian: 'little' } };
const zstd: JsonValue = { name: 'zstd', configuration: { level: 1, checksum: true } };
const blosc: JsonValue = { name: 'blosc', configuration: { cname: 'lz4', clevel: 3, shuffle: 'shuffle', typesize: 4, blocksize: 0 } }; // prettier-ignore
const transpose: JsonValue = { name: 'transpose', configuration: { order: [2, 0, 1] } };

const layouts: readonly [string, readonly JsonValue[]][] = [
  ['raw', [little]],
  ['zstd', [little, zstd]],
  ['transposed blosc', [transpose, little, blosc]],
];

async function arrayAt(
  store: Parameters<typeof openHierarchy>[0],
  codecs: readonly JsonValue[],
): Promise<ZarrArray> {
  const array = await openHierarchy(store, { decoding: { pool: null } }).createArray('/', {
    ...{ shape, dtype: 'int32', fillValue: -5, codecs, chunkLengths: lengths, dimensionNames: names },
  });
  await array
    .select()
    .write({ shape, data: Int32Array.from({ length: size }, (_, i) => (i * 7919) % 10_007) });
  return array;
}

const list = { kind: 'indices', indices: [60, 0, 33, 32, 20] } as const;
const ofChunks: Selection = {
  kind: 'dims',
  dims: [list, { kind: 'chunk', chunk: 2 }, { kind: 'chunk', chunk: -1 }],
};
const samePositions: Selection = {
  kind: 'dims',
  dims: [list, { kind: 'slice', start: 18, stop: 27 }, { kind: 'slice', start: 23 }],
};

const selections: readonly Selection[] = [
  ...[':', '19:33:1', '60, 46, 29', '::-1, 5:40:7', ':, :, 10', '29:61, 0:9, 10:11', '33, :, :', '20:23, 9:18, 11:23'].map(parseSelection),
  { kind: 'points', points: [[0, 0, 0], [60, 46, 29], [19, 8, 9], [20, 9, 10], [32, 1, 11]] },
  ofChunks,
]; // prettier-ignore

describe.skipIf(!isBuilt)('all ways of reading', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  test.each(layouts)('%s: equal values and reductions', async (name, codecs) => {
    const root = join(folder, name);
    await arrayAt(filesAt(root), codecs);
    // The chunk of 20 rows, and one of a row.
    rmSync(join(root, 'c/0/2'), { recursive: true });
    rmSync(join(root, 'c/5'), { recursive: true });
    const model = openHierarchy(createMemoryStore({ label: 'm' }));
    const regular = await model.createArray('/', {
      shape,
      dtype: 'int32',
      chunkShape: shape,
      dimensionNames: names,
    });
    let isOfPoints = false;
    const { pool: spied, taskCount } = counted(pool);
    // The pipeline sends bytes, direct reads do not.
    const run: CodecPool['run'] = (read, chunks, ...rest) => {
      if ('encoded' in chunks && !isOfPoints) throw new Error('unexpected decode by the pipeline');
      return spied.run(read, chunks, ...rest);
    };
    const { inline, ...others } = hierarchiesOf(filesAt(root), changed(spied, { run }));
    const own = await inline.array('/');
    const all = toTypedArray(await own.select().read());
    await regular.select().write({ shape, data: all });
    // The values are those that were written, apart from absent chunks.
    const expected = Array.from({ length: size }, (_, i) => {
      const [row, column] = [Math.floor(i / (47 * 30)), Math.floor(i / 30) % 47];
      const isAbsent = (row < 20 && column >= 18 && column < 27) || row === 32;
      return isAbsent ? -5 : (i * 7919) % 10_007;
    });
    expect(Array.from(all, Number)).toEqual(expected);
    for (const selection of selections) {
      isOfPoints = selection.kind === 'points';
      const wanted = regular.select(selection === ofChunks ? samePositions : selection);
      const values = await wanted.read();
      for (const [way, hierarchy] of Object.entries({ inline, ...others })) {
        const slice = (await hierarchy.array('/')).select(selection);
        expect(await slice.read(), `${way} ${JSON.stringify(selection)}`).toEqual(values);
        if (selection.kind === 'points') continue;
        for (const by of ['SUM', 'MAX', 'COUNT'] as const) {
          const request =
            slice.dims.some(({ name }) => name === 'a') && slice.shape.length > 1
              ? { by, over: ['a'] }
              : { by };
          const [got, sum] = [
            await reduceSlice(slice, request).read(),
            await reduceSlice(wanted, request).read(),
          ];
          expect(got, `${way} ${by} ${JSON.stringify(selection)}`).toEqual(sum);
        }
      }
    }
    expect(taskCount()).toBeGreaterThan(selections.length);
  });

  test('chunks in memory, in threads', async () => {
    const store = createMemoryStore({ label: 'm' });
    await arrayAt(store, [little, zstd]);
    const [inline, threads] = await Promise.all(
      [{ pool: null }, { pool, here: false }].map(async (decoding) => {
        const array = await openHierarchy(store, { decoding }).array('/');
        return Promise.all(selections.map((selection) => array.select(selection).read()));
      }),
    );
    expect(threads).toEqual(inline);
  });

  // More shapes than a thread or a layout remembers.
  test('chunks of 400 shapes', async () => {
    const widths = Array.from({ length: 400 }, (_, i) => i + 1);
    const length = widths.reduce((a, b) => a + b);
    const store = createMemoryStore({ label: 'm' });
    const array = await openHierarchy(store).createArray('/', {
      ...{ shape: [length], dtype: 'float64', chunkLengths: [widths], codecs: [little, zstd] },
    });
    const data = Float64Array.from({ length }, (_, i) => i);
    await array.select().write(data);
    for (const decoding of [{ pool: null }, { pool, here: false }]) {
      const read = await (await openHierarchy(store, { decoding }).array('/')).select().read();
      expect(toTypedArray(read)).toEqual(data);
    }
  });
});

describe('the cost', () => {
  test('counts the bytes of the chunks that a selection touches', async () => {
    const array = await arrayAt(createMemoryStore({ label: 'm' }), [little]);
    const cost = (text: string) => array.select(parseSelection(text)).cost();
    expect(array.chunkCounts).toEqual([7, 6, 4]);
    expect(array.chunkShape).toEqual([28, 9, 12]);
    const whole = rows.reduce((a, b) => a + b) * 54 * 31 * 4;
    expect(cost(':')).toMatchObject({ chunks: 7 * 6 * 4, decodedBytes: whole, chunkBytes: 28 * 9 * 12 * 4 });
    expect(cost('32, 0, 10')).toMatchObject({ chunks: 1, decodedBytes: 9 * 4, chunkBytes: 9 * 4 });
    expect(cost('19:21, 0, 0')).toMatchObject({ chunks: 2, decodedBytes: (20 + 3) * 9 * 10 * 4, chunkBytes: 20 * 9 * 10 * 4 }); // prettier-ignore
  });

  test('of a part is at least that of its chunks', async () => {
    const array = await arrayAt(createMemoryStore({ label: 'm' }), [little]);
    const { layout } = array.source();
    const plan = planRead(layout, array.meta.dtype, array.select().origin.selection);
    const each = [...planTasks(plan)].map(({ form }) => form.bytes);
    for (const [from, to] of [[0, 1], [144, 168], [100, 103], [0, 168]] as const) {
      const bytes = each.slice(from, to).reduce((a, b) => a + b, 0);
      expect(partOfPlan(plan, { from, to }).cost.decodedBytes).toBeGreaterThanOrEqual(bytes);
    }
  }); // prettier-ignore

  test('of 10^15 chunks is computed, and refused, without memory', async () => {
    const store = createMemoryStore({ label: 'm' });
    const array = await openHierarchy(store).createArray('/', {
      shape: [2 ** 52],
      dtype: 'int8',
      chunkLengths: [[[1, 2 ** 50], [3, 2 ** 50]]],
    }); // prettier-ignore
    const slice = array.select();
    expect(slice.cost()).toMatchObject({ chunks: 2 ** 51, decodedBytes: 2 ** 52 });
    await expect(slice.read()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await array.select(parseSelection(`${2 ** 52 - 4}:${2 ** 52}`)).write([1, 2, 3, 4]);
    const last = await array.select(parseSelection(`${2 ** 52 - 6}:`)).read();
    expect(Array.from(toTypedArray(last), Number)).toEqual([0, 0, 1, 2, 3, 4]);
    expect(array.chunkCounts).toEqual([2 ** 51]);
  });
});
