/**
 * Chooses the documents of a node to request first. A node has one or two of five, and each costs a request
 * on remote stores. A store rarely has several formats, so the documents of the last node predict those of
 * the next. No I/O.
 */
import type { DocumentName, StoredDocuments } from './stored-document.js';

export class LikelyDocuments {
  #lastFormat: 2 | 3 | undefined;

  /**
   * All documents if nothing is known; only zarr.json in a store of format 3; in format 2, all except
   * consolidated metadata. zarr.json takes precedence over all other documents, and the version of a node
   * includes all applicable documents, so these are never omitted.
   * @param hadV3 whether the node had a zarr.json at the last lookup
   */
  first(names: readonly DocumentName[], hadV3: boolean): readonly DocumentName[] {
    if (!names.includes('zarr.json')) return names;
    if (hadV3 || this.#lastFormat === 3) return ['zarr.json'];
    return this.#lastFormat === 2 && names.includes('.zgroup')
      ? names.filter((name) => name !== '.zmetadata')
      : names;
  }

  /** The remaining documents after the first request. */
  rest(
    names: readonly DocumentName[],
    first: readonly DocumentName[],
    found: StoredDocuments,
  ): readonly DocumentName[] {
    if (found['zarr.json'] !== undefined) return [];
    const isNoGroup = first.includes('.zgroup') && found['.zgroup'] === undefined;
    return names.filter((name) => !first.includes(name) && !(isNoGroup && name === '.zmetadata'));
  }

  record(found: StoredDocuments): void {
    if (found['zarr.json'] !== undefined) this.#lastFormat = 3;
    else if (found['.zarray'] !== undefined || found['.zgroup'] !== undefined) this.#lastFormat = 2;
  }
}
