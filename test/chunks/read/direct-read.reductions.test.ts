/** Reductions in direct reads: threads read and reduce, with the same bits as on one thread. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { statisticsOf } from '../../../server/analysis/statistics.js';
import {
  isZarrError,
  openHierarchy,
  parseSelection,
  reduceSlice,
  type CodecPool,
  type Hierarchy,
  type LazySlice,
} from '../../../server/zarr/index.js';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import { counted, entry, filesAt, hierarchiesOf, isBuilt, startPool, temporaryFolder } from './threads.js';
import { changed } from '../../setup/changed.js';

const shape = [60, 70, 40];
const size = 60 * 70 * 40;
const little = { name: 'bytes', configuration: { endian: 'little' } };
const zstd = { name: 'zstd', configuration: { level: 1, checksum: true } };

interface Layout {
  readonly dtype: 'float64' | 'float32' | 'int16';
  readonly codecs: readonly JsonObject[];
  readonly shardShape?: readonly number[];
}

const layouts: readonly [string, Layout][] = [
  ['raw', { dtype: 'float64', codecs: [little] }],
  ['zstd', { dtype: 'float32', codecs: [little, zstd] }],
  ['sharded', { dtype: 'int16', codecs: [little, zstd], shardShape: [20, 28, 40] }],
];

/** Writes floats of many magnitudes, so that the order of addition matters. Then deletes a part of the chunks. */
async function valuesAt(root: string, { dtype, codecs, shardShape }: Layout): Promise<void> {
  const hierarchy = openHierarchy(filesAt(root), { decoding: { pool: null } });
  const array = await hierarchy.createArray('/', {
    ...{ shape, dtype, chunkShape: [10, 14, 20], codecs, fillValue: 3, dimensionNames: ['a', 'b', 'c'] },
    ...(shardShape === undefined ? {} : { shardShape }),
  });
  const number = (i: number): number =>
    dtype === 'int16' ? ((i * 7919) % 65_000) - 32_500 : i % 97 === 0 ? NaN : Math.sin(i) * 10 ** (i % 12);
  const numbers = Array.from({ length: size }, (_, i) => number(i));
  const types = { float64: Float64Array, float32: Float32Array, int16: Int16Array };
  await array.select({ kind: 'all' }).write({ shape, data: new types[dtype](numbers) });
  rmSync(join(root, 'c/1'), { recursive: true });
}

describe.skipIf(!isBuilt)('reductions by threads', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  async function bytesOf(hierarchy: Hierarchy, text: string, request: Parameters<typeof reduceSlice>[1]) {
    const slice = (await hierarchy.array('/')).select(parseSelection(text));
    const block = await reduceSlice(slice, request).read();
    return 'bytes' in block ? Buffer.from(block.bytes).toString('base64') : block;
  }

  test.each(layouts)('%s: the same bits', async (name, layout) => {
    const root = join(folder, name);
    await valuesAt(root, layout);
    const { pool: spied, taskCount } = counted(pool);
    // The pipeline sends bytes, direct reads do not.
    const run: CodecPool['run'] = (read, chunks, ...rest) => {
      if ('encoded' in chunks) throw new Error('unexpected decode by the pipeline');
      return spied.run(read, chunks, ...rest);
    };
    const { inline, threads, both, kept } = hierarchiesOf(filesAt(root), changed(spied, { run }));
    for (const by of ['COUNT', 'SUM', 'MEAN', 'STD', 'MAX', 'FIRST'] as const) {
      const selections: readonly [string, readonly string[] | undefined][] = [
        [':', undefined],
        [':, 3:60:2', ['a']],
        ['5:50, ::-1, 7', ['b']],
      ];
      for (const [text, over] of selections) {
        const request = { by, ...(over === undefined ? {} : { over }) };
        const expected = await bytesOf(inline, text, request);
        expect(await bytesOf(threads, text, request), `${by} of ${text}`).toEqual(expected);
        expect(await bytesOf(both, text, request), `${by} of ${text}`).toEqual(expected);
        expect(await bytesOf(kept, text, request), `${by} of ${text}`).toEqual(expected);
      }
    }
    expect(taskCount()).toBeGreaterThanOrEqual(36);
  });

  test('statistics are the same', async () => {
    const root = join(folder, 'statistics');
    await valuesAt(root, { dtype: 'float64', codecs: [little, zstd] });
    const results = await Promise.all(
      Object.values(hierarchiesOf(filesAt(root), pool)).map(async (hierarchy) => {
        const slice: LazySlice = (await hierarchy.array('/')).select({ kind: 'all' });
        return statisticsOf(slice, {
          fields: ['min', 'mean', 'sum'],
          quantiles: [[0.1, 0.5, 0.9]],
          histograms: [{ bins: 20 }],
        }).read();
      }),
    );
    expect(results.slice(1)).toEqual([results[0], results[0], results[0], results[0]]);
  });

  test('the chunks of a lost thread are reduced again', async () => {
    const root = join(folder, 'lost');
    await valuesAt(root, { dtype: 'float64', codecs: [little, zstd] });
    const path = join(folder, 'dying.mjs');
    writeFileSync(
      path,
      `import { parentPort } from 'node:worker_threads';\nawait import(${JSON.stringify(entry.href)});\n` +
        "parentPort.on('message', ({ input }) => {\n  if (input !== undefined && 'spans' in input) process.exit(1);\n});\n",
    );
    const failing = await startPool(1, pathToFileURL(path));
    onTestFinished(() => failing.close());
    const { inline, threads } = hierarchiesOf(filesAt(root), failing);
    const expected = await bytesOf(inline, ':', { by: 'SUM' });
    expect(await bytesOf(threads, ':', { by: 'SUM' })).toEqual(expected);
  });

  test('a broken chunk is the same error', async () => {
    const root = join(folder, 'broken');
    await valuesAt(root, { dtype: 'float64', codecs: [little, zstd] });
    writeFileSync(join(root, 'c/3/2/1'), new Uint8Array(100));
    const failures = await Promise.all(
      Object.values(hierarchiesOf(filesAt(root), pool)).map(async (hierarchy) => {
        try {
          return await bytesOf(hierarchy, ':', { by: 'SUM' });
        } catch (error) {
          if (isZarrError(error)) return { code: error.code, message: error.message };
          throw error;
        }
      }),
    );
    expect(failures[0]).toHaveProperty('message', expect.stringContaining('c/3/2/1'));
    expect(failures.slice(1)).toEqual([failures[0], failures[0], failures[0], failures[0]]);
  });
});
