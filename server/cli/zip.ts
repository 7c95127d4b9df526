import { existsSync } from 'node:fs';
import { get, type KeyStore, openStoreFromUrl, type StoredObject } from '../zarr/index.js';
import { addressLevels } from './address.js';
import { runCommand, UsageError } from './run-command.js';

/** Objects that are copied at a time. */
const width = 8;

/**
 * `zarrql zip`: everything that a store holds as a new archive, which is put in place when it is complete. Bytes are
 * copied as they are, whether there is Zarr in them or not.
 */
export function zip(source: string, archive: string): Promise<void> {
  return runCommand(async () => {
    if (!/\.zip$/i.test(archive) || /^[a-z][a-z0-9+.-]+:/i.test(archive))
      throw new UsageError(`expected the path of a new archive that ends in .zip, got ${archive}`);
    if (existsSync(archive))
      throw new UsageError(`${archive} is there already; an archive cannot be written into`);
    const from = openStoreFromUrl(addressLevels(source)[0]?.label ?? source, source, { cacheBytes: 0 });
    const to = openStoreFromUrl(archive, archive, { readonly: false });
    try {
      if ((await copyObjects(from, to)) === 0) throw new UsageError(`there is nothing at ${source}`);
    } catch (error) {
      await to.deletePrefix(''); // then closing it leaves nothing behind
      throw error;
    } finally {
      await to.close();
      await from.close();
    }
  });
}

/** @returns how many there are */
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
      if (value === undefined) continue; // deleted since it was listed
      await to.set(key, value.bytes);
      copied++;
    }
  };
  const workers = Array.from({ length: width }, () =>
    work().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  // Whatever fails first is told, when nobody writes any more.
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return copied;
}
