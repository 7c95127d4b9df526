/** The way in which chunks are read and decoded, by plan and circumstances. */
import { describe, expect, test } from 'vitest';
import {
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  createCodecPool,
} from '../../../server/zarr/index.js';
import {
  canReduceBoxes,
  canShareChunk,
  choose,
  isWorthBoxThreads,
  type Circumstances,
} from '../../../server/chunks/read/choose.js';
import { planRead, type ReadPlan } from '../../../server/format/plan/plan.js';
import { changed } from '../../setup/changed.js';

const mib = 2 ** 20;
const kib = 2 ** 10;
const pool = createCodecPool({ threads: 0 });
const preferred = changed(pool, { isPreferred: true });

interface Read {
  readonly codec?: 'raw' | 'zstd' | 'gzip' | 'blosc' | 'numcodecs.bz2';
  /** Number of the first chunks to read. @default 64, which is all */
  readonly chunks?: number;
  readonly chunkBytes?: number;
  /** Number of bytes to read of each chunk. @default all */
  readonly columns?: number;
  readonly sharded?: boolean;
}

/** Arrays have 64 chunks, each a row of bytes. Nothing is stored. */
async function planOf({
  codec = 'zstd',
  chunks = 64,
  chunkBytes = mib / 2,
  columns = chunkBytes,
  sharded = false,
}: Read): Promise<ReadPlan> {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape: [64, chunkBytes],
    dtype: 'uint8',
    chunkShape: [1, chunkBytes],
    ...(sharded ? { shardShape: [8, chunkBytes] } : {}),
    codecs: [{ name: 'bytes' }, ...(codec === 'raw' ? [] : [codec])],
  });
  const dims = [
    { kind: 'slice', stop: chunks },
    { kind: 'slice', stop: columns },
  ] as const;
  return planRead(array.source().layout, array.meta.dtype, array.select({ kind: 'dims', dims }).selection);
}

const circumstances: Circumstances = {
  pool,
  decodesHere: true,
  cache: undefined,
  destination: 'regions',
  parts: 'local',
  isResponsive: false,
};

async function directOf(read: Read, given: Partial<Circumstances>): Promise<string | undefined> {
  const { direct } = choose(await planOf(read), { ...circumstances, ...given });
  if (direct?.by !== 'threads') return direct?.by;
  return direct.keeps ? 'kept' : direct.alsoHere ? 'both' : 'threads';
}

const away = { decodesHere: false } as const;
const memory = { destination: 'memory' } as const;
const partials = { destination: 'partials' } as const;

describe('a direct read', () => {
  test.each<[Read, Partial<Circumstances>, string | undefined]>([
    [{}, {}, 'both'],
    [{}, memory, 'both'],
    [{}, away, 'threads'],
    [{ codec: 'raw' }, {}, 'serial'],
    [{ codec: 'raw' }, memory, 'both'],
    [{ codec: 'raw' }, away, 'threads'],
    [{ codec: 'blosc' }, {}, 'serial'],
    [{ sharded: true }, {}, 'both'],
    // A single chunk is decoded sooner than a thread is woken.
    [{ chunks: 1 }, memory, 'serial'],
    [{ chunks: 1 }, { ...memory, ...away }, undefined],
    // This thread does not receive small chunks from threads, which takes long in comparison.
    [{ chunks: 27, chunkBytes: 64 * kib }, {}, 'serial'],
    [{ chunks: 27, chunkBytes: 64 * kib }, memory, 'both'],
    // Reductions.
    [{ codec: 'raw' }, partials, undefined],
    [{ codec: 'raw' }, { ...partials, ...away }, 'threads'],
    // This thread decodes no chunk that takes more than 5 ms or 960 KiB.
    [{ codec: 'numcodecs.bz2' }, {}, 'threads'],
    [{ codec: 'numcodecs.bz2', chunks: 1 }, {}, undefined],
    [{ chunkBytes: mib }, {}, 'threads'],
    [{ chunkBytes: mib, codec: 'raw' }, {}, undefined],
    // Regions beyond a slot, chunks beyond 16 MiB.
    [{ chunkBytes: 2 * mib }, {}, undefined],
    [{ chunkBytes: 2 * mib }, memory, 'threads'],
    [{ chunkBytes: 17 * mib }, memory, undefined],
    // Without threads.
    [{}, { pool: undefined }, 'serial'],
    [{}, { pool: undefined, ...away }, undefined],
    // A store or a memory without direct access.
    [{}, { destination: undefined }, undefined],
    // Threads would read whole chunks.
    [{ codec: 'raw', columns: mib / 16 }, away, undefined],
    [{ codec: 'raw', columns: mib / 16 }, {}, 'serial'],
    [{ codec: 'raw', columns: mib / 4 }, away, 'threads'],
    [{ codec: 'raw', columns: mib / 4 }, {}, 'serial'],
    // Cacheable chunks belong to threads that return whole chunks, otherwise to the pipeline, unless they would evict more
    // than they add.
    [{}, { ...away, cache: createChunkCache(256 * mib) }, 'kept'],
    [{ chunks: 1 }, { ...away, cache: createChunkCache(256 * mib) }, 'kept'],
    [{ chunkBytes: 4 * mib }, { ...away, ...partials, cache: createChunkCache(2048 * mib) }, 'kept'],
    [{ chunkBytes: mib, chunks: 1 }, { ...away, cache: createChunkCache(7 * mib) }, undefined],
    [{ chunkBytes: 17 * mib, chunks: 1 }, { ...away, cache: createChunkCache(256 * mib) }, undefined],
    [{ codec: 'raw' }, { ...away, cache: createChunkCache(256 * mib) }, undefined],
    [{}, { cache: createChunkCache(256 * mib) }, undefined],
    [{}, { ...away, cache: createChunkCache(32 * mib) }, 'threads'],
    [{}, { cache: createChunkCache(256 * mib), pool: undefined }, undefined],
    // A preferred pool, as tests use it.
    [{ chunks: 1 }, { pool: preferred }, 'both'],
    [{ codec: 'raw' }, { pool: preferred, ...partials }, 'both'],
    [{}, { pool: preferred, cache: createChunkCache(256 * mib) }, 'both'],
    [{ codec: 'raw' }, { pool: preferred, ...away, cache: createChunkCache(256 * mib) }, 'kept'],
    [{ chunkBytes: 17 * mib }, { pool: preferred }, undefined],
  ])('%o, %o: %s', async (read, given, expected) => {
    expect(await directOf(read, given)).toBe(expected);
  });
});

describe('the pipeline decodes', () => {
  const poolWay = (alsoHere: boolean, ifLost: boolean) => ({ by: 'pool', alsoHere, ifLost });
  test.each<[Read, Partial<Circumstances>, object]>([
    [{}, {}, poolWay(true, true)],
    [{}, away, poolWay(false, true)],
    [{ chunks: 1 }, {}, { by: 'inline' }],
    [{ chunks: 1 }, away, poolWay(false, true)],
    [{ chunks: 1 }, { isResponsive: true }, { by: 'sliced' }],
    [{}, { pool: undefined }, { by: 'inline' }],
    [{}, { pool: undefined, ...away }, { by: 'sliced' }],
    [{ codec: 'raw' }, {}, { by: 'inline' }],
    [{ codec: 'raw' }, away, { by: 'sliced' }],
    [{ codec: 'raw', chunkBytes: 17 * mib }, {}, { by: 'inline' }],
    [{ codec: 'raw', chunkBytes: 17 * mib }, away, { by: 'copied' }],
    [{ chunkBytes: 17 * mib, chunks: 1 }, {}, poolWay(false, true)],
    // 29 ms: an error if all threads are lost, rather than a thread that serves no requests.
    [{ chunkBytes: 17 * mib }, away, poolWay(false, false)],
    [{ codec: 'numcodecs.bz2' }, away, poolWay(false, true)],
    [{ codec: 'numcodecs.bz2', chunkBytes: mib }, away, poolWay(false, false)],
  ])('%o, %o: %o', async (read, given, expected) => {
    expect(choose(await planOf(read), { ...circumstances, ...given }).pipeline.decode).toEqual(expected);
  });

  test('values of variable length in the pool only if they are several, or it alone decodes', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      ...{ shape: [64], dtype: 'string', chunkShape: [4] },
    });
    const { layout } = array.source();
    const plan = planRead(layout, array.meta.dtype, array.select({ kind: 'all' }).selection);
    expect(choose(plan, circumstances)).toMatchObject({
      direct: undefined,
      pipeline: { decode: { by: 'variable' } },
    });
    expect(choose(plan, { ...circumstances, pool: undefined }).pipeline.decode).toEqual({ by: 'inline' });
  });
});

test.each<[Read, Partial<Circumstances>, number | undefined]>([
  [{ codec: 'raw' }, {}, mib / 2 - 16 * kib],
  [{ codec: 'raw' }, { parts: 'remote' }, mib / 16],
  [{ codec: 'raw' }, { parts: 'none' }, undefined],
  [{ codec: 'raw', chunkBytes: 16 * kib }, {}, undefined],
  [{ codec: 'raw', sharded: true }, {}, undefined],
  [{ codec: 'zstd' }, {}, undefined],
  [{ codec: 'raw' }, { cache: createChunkCache(mib) }, undefined],
])('parts of chunks of %o, %o: up to %s bytes', async (read, given, expected) => {
  expect(choose(await planOf(read), { ...circumstances, ...given }).pipeline.maxPartBytes).toBe(expected);
});

test('the memory of a cached chunk is shared only if it is the whole result', async () => {
  expect(canShareChunk(await planOf({ chunks: 1 }))).toBe(true);
  expect(canShareChunk(await planOf({ chunks: 2 }))).toBe(false);
  expect(canShareChunk(await planOf({ chunks: 1, columns: 7 }))).toBe(false);
});

test('threads reduce boxes unless the chunks are kept or too large', async () => {
  const plans = [await planOf({}), await planOf({ codec: 'raw' })];
  const usual = { keepsChunks: false, isPreferred: false };
  expect(canReduceBoxes(plans, usual)).toBe(true);
  expect(canReduceBoxes(plans, { ...usual, keepsChunks: true })).toBe(false);
  expect(canReduceBoxes([...plans, await planOf({ chunkBytes: 17 * mib })], usual)).toBe(false);
  expect([isWorthBoxThreads(1, true), isWorthBoxThreads(1, false), isWorthBoxThreads(2, true)]).toEqual([
    false,
    true,
    true,
  ]);
});
