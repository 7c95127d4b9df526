// The sample store examples/data/coads.zarr, a hundred small files, is kept in the repository as one zip archive.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const samples = join(dirname(import.meta.dirname), 'examples/data');

/**
 * Unpacks coads.zarr.zip into the same folder, unless the store already exists.
 * @param {() => Promise<typeof import('../server/zarr/index.js')>} engine loads the engine, from dist/ or from its sources
 */
export async function unpackSamples(engine) {
  const folder = join(samples, 'coads.zarr');
  if (existsSync(folder)) return;
  const { openStoreFromUrl } = await engine();
  const zip = openStoreFromUrl('coads', join(samples, 'coads.zarr.zip'));
  const unfinished = join(samples, `.coads-${process.pid}`);
  try {
    for await (const { key } of zip.walk('')) {
      const file = join(unfinished, key);
      mkdirSync(dirname(file), { recursive: true });
      await zip.getMany([{ key }], (_, value) => writeFileSync(file, value.bytes));
    }
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await zip.close?.();
  }
}
