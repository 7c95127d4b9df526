/**
 * Which documents of a node to ask for first. A node has one or two of five, and behind a network each question costs a
 * request: a store rarely holds several formats, so the node found last tells what is likely. No I/O.
 */
import type { DocumentName, StoredDocuments } from './stored-document.js';

export class LikelyDocuments {
  #lastFormat: 2 | 3 | undefined;

  /**
   * All together where nothing is known; zarr.json alone in a store of format 3; in one of format 2 no consolidated
   * metadata. zarr.json counts more than all others, and a version is made of all documents that count, so these are
   * never left out.
   * @param hadV3 whether the node had a zarr.json when it was last looked at
   */
  first(names: readonly DocumentName[], hadV3: boolean): readonly DocumentName[] {
    if (!names.includes('zarr.json')) return names;
    if (hadV3 || this.#lastFormat === 3) return ['zarr.json'];
    return this.#lastFormat === 2 && names.includes('.zgroup')
      ? names.filter((name) => name !== '.zmetadata')
      : names;
  }

  /** What is needed yet, once the first ones were asked for. */
  rest(
    names: readonly DocumentName[],
    first: readonly DocumentName[],
    found: StoredDocuments,
  ): readonly DocumentName[] {
    if (found['zarr.json'] !== undefined) return [];
    const isNoGroup = first.includes('.zgroup') && found['.zgroup'] === undefined;
    return names.filter((name) => !first.includes(name) && !(isNoGroup && name === '.zmetadata'));
  }

  learn(found: StoredDocuments): void {
    if (found['zarr.json'] !== undefined) this.#lastFormat = 3;
    else if (found['.zarray'] !== undefined || found['.zgroup'] !== undefined) this.#lastFormat = 2;
  }
}
