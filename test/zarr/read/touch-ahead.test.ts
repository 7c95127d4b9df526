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
import { touchAhead } from '../../../server/zarr/read/touch-ahead.js';

const MiB = 2 ** 20;

/** Writes ones piece by piece, each as soon as it may be written to. */
async function fillAfterClaims(bytes: Uint8Array, step: number): Promise<void> {
  const ahead = touchAhead(bytes);
  for (let start = 0; start < bytes.length; start += step) {
    const end = Math.min(start + step, bytes.length);
    await ahead?.claim(end);
    bytes.fill(1, start, end);
  }
}

describe('memory that is touched ahead', () => {
  test.each([
    [8 * MiB, MiB],
    [33 * MiB + 7, 3 * MiB + 1],
    [64 * MiB, 64 * MiB],
    [100 * MiB + 4095, 700_001],
  ])('%d bytes keep what is written to them, %d at a time', async (length, step) => {
    const bytes = new Uint8Array(length);
    await fillAfterClaims(bytes, step);
    // A piece that was not waited for would put its zeros here within this time.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(bytes.indexOf(0)).toBe(-1);
  });

  test('is not waited for where little is left to touch', () => {
    expect(touchAhead(new Uint8Array(MiB))).toBeUndefined();
    expect(touchAhead(new Uint8Array(64 * MiB))?.claim(40 * MiB)).toBeUndefined();
  });
});

function bytesOf(block: Block): Uint8Array {
  if (!('bytes' in block)) throw new TypeError('values of variable length');
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
    const folder = await mkdtemp(join(tmpdir(), 'zarrql-touch-'));
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
        const turned = bytesOf(
          await array.select({ kind: 'dims', dims: [{ kind: 'slice', step: -1 }] }).read(),
        );
        expect(turned.subarray(0, 4)).toEqual(new Uint8Array(data.buffer, (60 - 1) * 500 * 701 * 2, 4));
        expect(turned.subarray(-4)).toEqual(new Uint8Array(data.buffer, (500 * 701 - 2) * 2, 4));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
