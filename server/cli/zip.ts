import { existsSync } from 'node:fs';
import { get, type KeyStore, openStoreFromUrl, type StoredObject } from '../zarr/index.js';
import { addressLevels } from './address.js';
import { runCommand, UsageError } from './run-command.js';

/** Number of objects copied concurrently. */
const WIDTH = 8;

/**
 * `zarrql zip`: copies all objects of a store into a new archive, which appears under its name only when it
 * is complete. All objects are copied unchanged, even if they do not belong to Zarr.
 */
export function zip(source: string, archive: string): Promise<void> {
  return runCommand(async () => {
    if (!/\.zip$/i.test(archive) || /^[a-z][a-z0-9+.-]+:/i.test(archive))
      throw new UsageError(`expected the path of a new archive that ends in .zip, got ${archive}`);
    if (existsSync(archive))
      throw new UsageError(`${archive} already exists; an existing archive cannot be modified`);
    const from = openStoreFromUrl(addressLevels(source)[0]?.label ?? source, source, { cacheBytes: 0 });
    const to = openStoreFromUrl(archive, archive, { readonly: false });
    try {
      if ((await copyObjects(from, to)) === 0) throw new UsageError(`${source} is empty or does not exist`);
    } catch (error) {
      await to.deletePrefix(''); // Closing an empty archive leaves no file behind.
      throw error;
    } finally {
      await to.close();
      await from.close();
    }
  });
}

/** @returns the number of objects */
async function copyObjects(from: KeyStore, to: KeyStore): Promise<number> {
  const objects: AsyncIterator<StoredObject> = from.walk('', { isComplete: true })[Symbol.asyncIterator]();
  let copied = 0;
  let isFailed = false;
  const work = async (): Promise<void> => {
    while (!isFailed) {
      const next = await objects.next();
      if (next.done === true) return;
      const { key } = next.value;
      const value = await get(from, key);
      if (value === undefined) continue; // The object was deleted after it was listed.
      await to.set(key, value.bytes);
      copied++;
    }
  };
  const workers = Array.from({ length: WIDTH }, () =>
    work().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  // Waits for all workers, so that no write is in flight when the first error is thrown.
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return copied;
}
