/** Conditions for direct reads. */
import { describe, expect, test } from 'vitest';
import {
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  type CodecPool,
} from '../../../../server/zarr/index.js';
import { choosesDirect } from '../../../../server/zarr/read/direct/choose.js';
import { planRead } from '../../../../server/zarr/read/plan.js';
import { createCodecPool } from '../../../../server/zarr/index.js';

const MiB = 2 ** 20;

/** A plan that reads 64 chunks of 512 KiB, or only the first. */
async function planOf(codec: string, only?: number) {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape: [64, MiB / 2],
    dtype: 'uint8',
    chunkShape: [1, MiB / 2],
    codecs: [{ name: 'bytes' }, ...(codec === 'raw' ? [] : [codec])],
  });
  const slice = array.select(
    only === undefined ? { kind: 'all' } : { kind: 'dims', dims: [{ kind: 'slice', stop: only }] },
  );
  return planRead(array.source().layout, array.meta.dtype, slice.selection);
}

describe('direct reads', () => {
  const pool: CodecPool = createCodecPool({ threads: 0 });

  test.each([
    // This thread would have to copy everything from slots.
    ['zstd', undefined, { decodesHere: true, access: 'regions' }, false],
    ['zstd', undefined, { decodesHere: true, access: 'result' }, true],
    ['zstd', undefined, { decodesHere: false, access: 'regions' }, true],
    ['raw', undefined, { decodesHere: true, access: 'regions' }, false],
    ['raw', undefined, { decodesHere: true, access: 'result' }, true],
    ['raw', undefined, { decodesHere: false, access: 'regions' }, true],
    // Decoding a single chunk takes less time than waking a thread.
    ['zstd', 1, { decodesHere: true, access: 'result' }, false],
    ['raw', undefined, { decodesHere: true, access: 'partials' }, false],
    ['raw', undefined, { decodesHere: false, access: 'partials' }, true],
  ] as const)('%s, first %s chunks, %o: %s', async (codec, only, given, expected) => {
    expect(choosesDirect({ plan: await planOf(codec, only), pool, ...given })).toBe(expected);
  });

  test('leave cacheable chunks to the pipeline', async () => {
    const given = { plan: await planOf('zstd'), pool, decodesHere: false, access: 'regions' } as const;
    expect(choosesDirect({ ...given, cache: createChunkCache(256 * MiB) })).toBe(false);
    expect(choosesDirect({ ...given, cache: createChunkCache(32 * MiB) })).toBe(true);
  });

  test('leave parts of raw chunks to the pipeline, which reads only these', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      ...{ shape: [64, MiB / 2], dtype: 'uint8', chunkShape: [1, MiB / 2], codecs: [{ name: 'bytes' }] },
    });
    const chosen = (columns: number): boolean => {
      const dims = [{ kind: 'slice' }, { kind: 'slice', stop: columns }] as const;
      const { selection } = array.select({ kind: 'dims', dims });
      const plan = planRead(array.source().layout, array.meta.dtype, selection);
      return choosesDirect({ plan, pool, decodesHere: false, access: 'regions' });
    };
    expect(chosen(MiB / 16)).toBe(false);
    expect(chosen(MiB / 4)).toBe(true);
  });

  test('need a pool', async () => {
    const given = { plan: await planOf('zstd'), decodesHere: false, access: 'regions' } as const;
    expect(choosesDirect({ ...given, pool: undefined })).toBe(false);
  });
});
