// The sample stores of examples/data consist of many small files, so the repository contains one zip archive per store.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const samples = join(dirname(import.meta.dirname), 'examples/data');
const names = ['ocean', 'winds', 'relief', 'coads', 'navy_winds_v2', 'etopo20_sharded'];

/**
 * Unpacks each NAME.zarr.zip into the same folder, unless the store already exists.
 * @param {() => Promise<typeof import('../server/zarr/index.js')>} engine loads the engine, from dist/ or from its
 * sources
 */
export async function unpackSamples(engine) {
  for (const name of names)
    if (!existsSync(join(samples, `${name}.zarr`))) await unpackSample(name, await engine());
}

/**
 * @param {string} name
 * @param {typeof import('../server/zarr/index.js')} engine
 */
async function unpackSample(name, { openStoreFromUrl }) {
  const folder = join(samples, `${name}.zarr`);
  const zip = openStoreFromUrl(name, `${folder}.zip`);
  const unfinished = join(samples, `.${name}-${process.pid}`);
  try {
    for await (const { key } of zip.walk('')) {
      const file = join(unfinished, key);
      mkdirSync(dirname(file), { recursive: true });
      await zip.getMany([{ key }], (_, value) => writeFileSync(file, value.bytes));
    }
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have created the store in the meantime.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await zip.close?.();
  }
}
