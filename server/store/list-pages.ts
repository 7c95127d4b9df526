/** Listings of buckets, which arrive in pages. */
import { isHiddenIn, isKey, LOCKS_FOLDER, sortByCodePoint } from './keys.js';
import type { Listing, StoredObject } from './store.js';

export interface ListedPage {
  /** Keys relative to the store. Keys written by other programs may be invalid. */
  readonly objects: readonly StoredObject[];
  /** Names of the folders directly below the prefix. */
  readonly folders: readonly string[];
}

/** @param isReserved whether a key belongs to this program and not to the store */
export async function collectPages(
  pages: AsyncIterable<ListedPage>,
  prefix: string,
  isReserved: (key: string) => boolean = isLock,
): Promise<Listing> {
  const keys: string[] = [];
  const folders: string[] = [];
  for await (const page of pages) {
    for (const { key } of page.objects) if (isKey(key) && !isReserved(key)) keys.push(key);
    for (const name of page.folders)
      if (isKey(name) && !(prefix === '' && name === LOCKS_FOLDER) && !isHiddenIn(prefix, name))
        folders.push(name);
  }
  return { keys: sortByCodePoint(keys), folders: sortByCodePoint(folders) };
}

/** Yields the objects of the store in the order of the pages. @param isReserved as for `collectPages` */
export async function* objectsIn(
  pages: AsyncIterable<ListedPage>,
  prefix: string,
  isReserved: (key: string) => boolean = isLock,
): AsyncGenerator<StoredObject> {
  for await (const page of pages)
    for (const object of page.objects)
      if (isKey(object.key) && !isReserved(object.key) && !isHiddenIn(prefix, object.key)) yield object;
}

export function isLock(key: string): boolean {
  return key.startsWith(`${LOCKS_FOLDER}/`);
}
