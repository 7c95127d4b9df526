/** Results of jobs, read and computed again by zarr-python and NumPy. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFilesystemStore, type Hierarchy, openHierarchy } from '../../server/zarr/index.js';
import { run, testStores } from '../jobs/memory-stores.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);
const python = await findPython('today');

function storeIn(name: string) {
  return createFilesystemStore({ label: name, root: join(folder, name) });
}

async function writeSource(source: Hierarchy): Promise<void> {
  await source.createGroup('/', { zarrFormat: 2 });
  const shape = [30, 45, 70];
  const array = await source.createArray('/x', {
    shape,
    chunkShape: [7, 20, 32],
    dtype: '<f4',
    fillValue: 'NaN',
    dimensionNames: ['t', 'y', 'x'],
    attributes: { units: 'K' },
    codecs: { compressor: { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1 } },
  });
  const values = Float32Array.from({ length: 30 * 45 * 70 }, (_, i) =>
    i % 11 === 0 ? NaN : Math.sin(i) * 1000,
  );
  await array
    .select()
    .write({ dtype: { name: 'float32', itemSize: 4 }, shape, bytes: new Uint8Array(values.buffer) });
  const names = await source.createArray('/g/names', { shape: [3], dtype: 'string' });
  await names.select().write(['a', 'ß', '']);
}

test.skipIf('missing' in python)(
  'copy, reduce, pyramid and statistics agree with zarr-python and NumPy',
  async () => {
    const source = storeIn('from.zarr');
    const to = (name: string) => testStores(source, storeIn(name)).stores;
    await writeSource(openHierarchy(source));
    const job = (kind: string, path: string, options: Record<string, unknown>, steps: unknown[] = []) => ({
      kind,
      source: { store: 'a', path, steps },
      destination: { store: 'b', path: '/' },
      options,
    });
    await run(
      to('copy.zarr'),
      job('copy', '/', { format: 3, chunks: { t: 5, y: 15, x: 10 }, shards: { t: 10, y: 45, x: 40 } }),
    );
    await run(to('mean.zarr'), job('reduce', '/x', { format: 3 }, [{ reduce: { by: 'MEAN', over: ['t'] } }]));
    await run(to('pyramid.zarr'), job('pyramid', '/x', { convention: 'ome', format: 3, levels: 2 }));
    const { result } = await run(to('none.zarr'), {
      kind: 'statistics',
      source: { store: 'a', path: '/x', steps: [] },
    });
    const { stdout } = await runScript('command' in python ? python.command : '', 'check_jobs.py', [folder]);
    const { statistics, ...found } = JSON.parse(stdout);
    expect(found).toEqual({
      copy: true,
      format: 3,
      shards: [10, 45, 40],
      chunks: [5, 15, 10],
      attributes: { units: 'K', _FillValue: 'AAAAAAAA+H8=' },
      names: ['t', 'y', 'x'],
      text: true,
      mean: true,
      level: true,
    });
    const own = JSON.parse(
      JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    );
    expect(own).toMatchObject({
      count: statistics.count,
      missing: statistics.missing,
      min: statistics.min,
      max: statistics.max,
    });
    expect(own.mean).toBeCloseTo(statistics.mean, 9);
    expect(own.std).toBeCloseTo(statistics.std, 9);
  },
);
