/** Archives that this engine writes, opened by Python's zipfile and by zarr-python's ZipStore. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openHierarchy, openStoreFromUrl, type KeyStore } from '../../server/zarr/index.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);
const python = await findPython('today');

interface ReaderOutput {
  readonly entries: number;
  readonly names: number;
  readonly damaged: string | null;
  readonly attributes: unknown;
  readonly arrays: Readonly<Record<string, { shape: number[]; values: string; attributes: unknown }>>;
}

const newZip = (name: string): KeyStore => openStoreFromUrl('zip', join(folder, name), { readonly: false });
const all = { kind: 'all' } as const;

describe.skipIf('missing' in python)('zarr-python reads', () => {
  async function readBy(name: string): Promise<ReaderOutput> {
    const command = 'command' in python ? python.command : '';
    const { stdout } = await runScript(command, 'read_zip.py', [join(folder, name)]);
    return JSON.parse(stdout);
  }

  test.each([2, 3] as const)(
    'arrays of format %i that were written in parts, and repeatedly',
    async (format) => {
      await mkdir(folder, { recursive: true });
      const name = `v${format}.zip`;
      const store = newZip(name);
      const hierarchy = openHierarchy(store);
      await hierarchy.createGroup('/', { zarrFormat: format, attributes: { title: 'é' } });
      const size = 7 * 9;
      const values = Float64Array.from({ length: size }, (_, at) => at / 7);
      const array = await hierarchy.createArray('/g/ä b', {
        shape: [7, 9],
        dtype: 'float64',
        chunkShape: [2, 4],
        ...(format === 3 ? { shardShape: [4, 4] } : {}),
        attributes: { units: 'm' },
      });
      for (let row = 0; row < 7; row++)
        await array
          .select({ kind: 'dims', dims: [{ kind: 'slice', start: row, stop: row + 1 }, { kind: 'slice' }] })
          .write({ shape: [1, 9], data: values.subarray(row * 9, row * 9 + 9) });
      await hierarchy.append('/g/ä b', { shape: [1, 9], data: new Float64Array(9).fill(-0) });
      await store.close();
      const output = await readBy(name);
      expect(output).toMatchObject({ damaged: null, attributes: { title: 'é' } });
      expect(output.names).toBe(output.entries);
      const found = output.arrays['g/ä b'];
      expect(found).toMatchObject({ shape: [8, 9], attributes: { units: 'm' } });
      const expected = new Float64Array(size + 9).fill(-0);
      expected.set(values);
      expect(found?.values).toBe(Buffer.from(expected.buffer).toString('base64'));
    },
  );

  test('archives with more entries than the format without Zip64 supports', async () => {
    const store = newZip('many.zip');
    const hierarchy = openHierarchy(store);
    const request = { shape: [66_000], dtype: 'uint8', chunkShape: [1], codecs: [{ name: 'bytes' }] };
    const array = await hierarchy.createArray('/a', request);
    await array.select(all).write(new Uint8Array(66_000).fill(1));
    await store.close();
    const output = await readBy('many.zip');
    expect(output).toMatchObject({ damaged: null, entries: 66_002, names: 66_002 });
  }, 120_000);
});
