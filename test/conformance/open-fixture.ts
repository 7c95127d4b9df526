import { createFilesystemStore, type KeyStore } from '../../server/zarr/index.js';
import { createZipStore } from '../../server/zarr/store/zip.js';
import { basename, dirname } from 'node:path';

/** A folder or a zip file as a store. */
export async function openFixture(path: string): Promise<KeyStore> {
  if (!path.endsWith('.zip')) return createFilesystemStore({ label: basename(path), root: path });
  const base = createFilesystemStore({ label: basename(path), root: dirname(path) });
  return createZipStore({ label: basename(path), source: { store: base, key: basename(path) } });
}
