/**
 * Direct reads equal the pipeline for arrays of other implementations with every data type, codec and
 * format.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createChunkCache,
  isZarrError,
  openHierarchy,
  type Block,
  type CodecPool,
  type Hierarchy,
} from '../../../server/zarr/index.js';
import { readCases, openFixture } from '../../conformance/cases.js';
import type { Case } from '../../conformance/expected-layout.js';
import { fixtures } from '../../setup/fixtures.js';
import { counted, isBuilt, startPool } from './threads.js';

/** The values of a read, or its error. */
async function outcome(reading: Promise<Block>): Promise<unknown> {
  try {
    const block = await reading;
    if ('bytes' in block) return block;
    // Variable-length contents are in the order in which chunks arrive.
    const { starts, lengths, bytes } = block.items;
    const itemAt = (start: number, i: number): string =>
      Buffer.from(bytes.subarray(start, start + (lengths[i] ?? 0))).toString('base64');
    return { ...block, items: Array.from(starts, itemAt) };
  } catch (error) {
    if (isZarrError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

describe.skipIf(!isBuilt)('arrays of the matrix', () => {
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  test('have the same values or errors with threads', async () => {
    const paths = readCases<Case | { readonly type: 'group'; readonly path: string }>('matrix').flatMap(
      (row) => ('type' in row ? [] : [row.path]),
    );
    const { pool: spied, taskCount } = counted(pool);
    for (const path of new Set(paths)) {
      const store = await openFixture(`${fixtures}matrix/${path}`);
      const decoding = { pool: spied, here: false };
      const { inline, ...others } = {
        inline: openHierarchy(store, { decoding: { pool: null } }),
        threads: openHierarchy(store, { decoding }),
        kept: openHierarchy(store, { decoding, chunkCache: createChunkCache(2 ** 26) }),
      };
      const outcomeOf = (hierarchy: Hierarchy): Promise<unknown> =>
        outcome(hierarchy.array('/').then((array) => array.select({ kind: 'all' }).read()));
      const expected = await outcomeOf(inline);
      for (const [name, hierarchy] of Object.entries(others)) {
        expect(await outcomeOf(hierarchy), `${path}, ${name}`).toEqual(expected);
        // From the cache.
        expect(await outcomeOf(hierarchy), `${path}, ${name}, again`).toEqual(expected);
      }
    }
    expect(taskCount()).toBeGreaterThan(100);
  }, 120_000);
});
