/** Reductions compared with a naive model that reads everything first. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ArraySlice,
  type Block,
  type Limits,
  createChunkCache,
  createMemoryStore,
  elementAt,
  type KeyStore,
  openHierarchy,
  reduceSlice,
  type ReduceRequest,
  type SliceReadOptions,
  type LazySlice,
} from '../../../server/zarr/index.js';
import { ConflictError } from '../../../server/core/errors.js';
import { build, scenario, modelOf } from '../../compute/reduce-scenarios.js';
import { wrapStore } from '../../../server/store/wrap.js';

/** Reduces and reads. An invalid request rejects the promise. */
async function reduce(slice: LazySlice, request: ReduceRequest, options?: SliceReadOptions): Promise<Block> {
  return reduceSlice(slice, request).read(options);
}

function isMissing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((part) => Number.isNaN(part));
  return value === null || Number.isNaN(value) || value === -(2n ** 63n);
}

function naiveCount(block: Block): number {
  let count = 0;
  const size = block.shape.reduce((product, length) => product * length, 1);
  for (let i = 0; i < size; i++) if (!isMissing(elementAt(block, i))) count++;
  return count;
}

async function countOf(slice: ArraySlice, options: { limits?: Limits } = {}): Promise<number> {
  return Number(elementAt(await reduce(slice, { by: 'COUNT' }, options), 0));
}

/** Fails the first and the fourth request of chunks with a conflict, after their chunks have been delivered. */
function withConflicts(store: KeyStore): KeyStore {
  let calls = 0;
  return wrapStore(store, {
    getMany: async (requests, each, options) => {
      await store.getMany(requests, each, options);
      const isOfChunks = requests.some(({ key }) => key.startsWith('c'));
      // Conflicts twice, because a batch fails after three conflicts.
      if (isOfChunks && [1, 4].includes(++calls)) throw new ConflictError('the object changed');
    },
  });
}

describe('count', () => {
  test('equals an exhaustive check of every element', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ selection, ...layout }) => {
        const slice = (await build(layout)).select(selection);
        expect(await countOf(slice)).toBe(naiveCount(await slice.read()));
      }),
      { numRuns: 150 },
    );
  });

  test('is equal with a cache and with repeated batches', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ selection, ...layout }) => {
        const expected = naiveCount(await (await build(layout)).select(selection).read());
        const options = { chunkCache: createChunkCache(2 ** 20) };
        const array = await build(layout, options, withConflicts);
        const slice = array.select(selection);
        expect(await countOf(slice)).toBe(expected);
        expect(await countOf(slice)).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('counts a field of a struct', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray(
      '/',
      {
        shape: [7],
        chunkShape: [2],
        dtype: '[["a","<i4"],["b","<f8",[2]]]',
        fillValue: 'AAAAAAAAAAAAAPh/AAAAAAAAAAA=',
      },
      { zarrFormat: 2 },
    );
    await array
      .select({ kind: 'dims', dims: [{ kind: 'slice', start: 2, stop: 4 }] })
      .field('b')
      .write([
        [1, NaN],
        [2, 3],
      ]);
    const slice = array.select({ kind: 'all' });
    expect(await countOf(slice)).toBe(7);
    expect(await countOf(slice.field('a'))).toBe(7);
    expect(await countOf(slice.field('b'))).toBe(naiveCount(await slice.field('b').read()));
    expect(await countOf(slice.field('b'))).toBe(5 + 3);
  });

  test('of absent chunks needs no memory for values', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape: [4096, 2 ** 20, 4],
      chunkShape: [16, 2 ** 20, 4],
      dtype: 'float64',
      fillValue: 1,
    });
    const limits = {
      maxChunks: 1000,
      maxDecodedBytes: 2 ** 40,
      maxOutputBytes: 16,
      maxReducedBytes: 2 ** 40,
      maxWork: 1e15,
    };
    const slice = array.select({ kind: 'all' });
    expect(await countOf(slice, { limits })).toBe(4096 * 2 ** 22);
  });

  test('of an unknown name is an input error', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape: [1],
      dtype: 'int8',
    });
    const reducer = JSON.parse('{"by":"toString"}');
    await expect(reduce(array.select({ kind: 'all' }), reducer)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('chunks of one step each', () => {
  const shape = [40, 3, 50];
  async function steps(shardShape?: number[]) {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape,
      chunkShape: [1, 3, 25],
      ...(shardShape === undefined ? {} : { shardShape }),
      dtype: 'float32',
      fillValue: 2,
    });
    // Some steps are not stored. The others have missing values.
    for (let t = 0; t < 40; t++)
      if (t % 7 !== 3)
        await array.select({ kind: 'dims', dims: [{ kind: 'index', index: t }] }).write({
          shape: [3, 50],
          data: Float64Array.from({ length: 150 }, (_, i) => ((i + t) % 11 === 0 ? NaN : i * t - 60)),
        });
    return array.select({ kind: 'all' });
  }

  test.each([undefined, [8, 3, 50]])('have the results of the model, in shards %s', async (shardShape) => {
    const slice = await steps(shardShape);
    const block = await slice.read();
    for (const by of [
      'SUM',
      'MEAN',
      'VAR',
      'MIN',
      'MAX',
      'FIRST',
      'LAST',
      'ARGMIN',
      'ARGMAX',
      'COUNT',
    ] as const) {
      const reduced = await reduce(slice, { by, over: ['0'] });
      modelOf(block, [0], { by }).forEach((value, i) => {
        if (value === null) expect(elementAt(reduced, i)).toBeNaN();
        else if (typeof value === 'bigint' && reduced.dtype.name === 'int64')
          expect(elementAt(reduced, i)).toBe(value);
        else
          expect(Math.abs(Number(elementAt(reduced, i)) - Number(value))).toBeLessThan(
            1e-6 * Math.abs(Number(value)) + 1e-9,
          );
      });
    }
  });
});
