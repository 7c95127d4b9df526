/** Where a store is, to find out whether two stores overlap. */
import { realpath } from 'node:fs/promises';
import type { KeyStore } from '../zarr/index.js';

/** @returns the path of a local folder without links; undefined for other stores, which are compared by name */
export async function locationOf(store: KeyStore): Promise<string | undefined> {
  const located = await store.locate?.([]);
  const root = located?.files.access.root;
  if (root === undefined) return undefined;
  // A folder that does not exist yet has no links.
  return realpath(root).catch(() => root);
}
