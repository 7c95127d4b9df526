import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  type Block,
} from '../../../server/zarr/index.js';

function bytesOf(block: Block): Uint8Array {
  if (!('bytes' in block)) throw new TypeError('expected values of fixed size');
  return block.bytes;
}

describe('a large result', () => {
  const shape = [60, 500, 701];
  const data = Uint16Array.from({ length: 60 * 500 * 701 }, (_, i) => (i * 40_503) >>> 3);

  test.each([
    ['slabs', [7, 500, 701]],
    ['boxes', [16, 64, 64]],
    ['columns', [60, 500, 30]],
    ['one chunk', [60, 500, 701]],
  ])('has every value, in chunks that are %s', async (_, chunkShape) => {
    const folder = await mkdtemp(join(tmpdir(), 'zarrql-large-'));
    try {
      for (const store of [
        createFilesystemStore({ label: 'disk', root: folder }),
        createMemoryStore({ label: 'memory' }),
      ]) {
        const hierarchy = openHierarchy(store);
        const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }];
        const created = await hierarchy.createArray('/', { shape, dtype: 'uint16', chunkShape, codecs });
        await created.select({ kind: 'dims', dims: [] }).write({ shape, data });
        const array = await hierarchy.array('/');
        const whole = bytesOf(await array.select({ kind: 'dims', dims: [] }).read());
        expect(Buffer.compare(whole, new Uint8Array(data.buffer))).toBe(0);
        const reversed = bytesOf(
          await array.select({ kind: 'dims', dims: [{ kind: 'slice', step: -1 }] }).read(),
        );
        expect(reversed.subarray(0, 4)).toEqual(new Uint8Array(data.buffer, (60 - 1) * 500 * 701 * 2, 4));
        expect(reversed.subarray(-4)).toEqual(new Uint8Array(data.buffer, (500 * 701 - 2) * 2, 4));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
