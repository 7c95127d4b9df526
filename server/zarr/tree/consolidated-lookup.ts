/** Finds the consolidated metadata that covers a node. What cannot be used is passed over, and told of. */
import { LRUCache } from 'lru-cache';
import { isZarrError, type ZarrError } from '../errors.js';
import { ancestorsOf } from '../metadata/paths.js';
import type { NodeHome } from '../node-home.js';
import type { ConsolidatedIndex } from './consolidated-index.js';
import type { DocumentReader } from './documents.js';
import { errorOf } from './failure.js';
import type { DocumentName, StoredDocument, StoredDocuments } from './stored-document.js';

export interface FoundIndex {
  readonly index?: ConsolidatedIndex | undefined;
  /** Why consolidated metadata that is there was passed over. */
  readonly failure?: ZarrError | undefined;
}

const names: readonly DocumentName[] = ['zarr.json', '.zmetadata'];

export class ConsolidatedLookup {
  readonly #home: NodeHome;
  readonly #reader: DocumentReader;
  /** What was told already: the message, by group. */
  readonly #told = new LRUCache<string, string>({ max: 1000 });

  constructor(home: NodeHome, reader: DocumentReader) {
    this.#home = home;
    this.#reader = reader;
  }

  /**
   * The nearest consolidated metadata that can be used, of the node itself or of a group above.
   * @param own the node's documents, where they are known
   * @throws store errors, where they are not those of single documents
   */
  async nearest(
    prefix: string,
    own: StoredDocuments | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FoundIndex> {
    const known = own === undefined ? {} : await this.#indexOf(prefix, own);
    if (known.index !== undefined) return known;
    const above = own === undefined ? [prefix, ...ancestorsOf(prefix)] : ancestorsOf(prefix);
    const documents = above.length === 0 ? [] : await this.#reader.read(above, names, signal);
    let failure = known.failure;
    for (const [i, holder] of above.entries()) {
      const found = await this.#indexOf(holder, documents[i] ?? {});
      if (found.index !== undefined) return found;
      failure ??= found.failure;
    }
    return { failure };
  }

  async #indexOf(prefix: string, documents: StoredDocuments): Promise<FoundIndex> {
    const document = documents['zarr.json'] ?? documents['.zmetadata'];
    if (document === undefined) return {};
    try {
      return { index: await indexOf(document) };
    } catch (failure) {
      if (!isZarrError(failure)) throw failure;
      this.#tell(prefix, failure.detail);
      return { failure };
    }
  }

  #tell(prefix: string, detail: string): void {
    const path = `/${prefix}`;
    if (this.#told.get(path) === detail) return;
    this.#told.set(path, detail);
    this.#home.warn?.(path, `consolidated metadata is not used: ${detail}`);
  }
}

async function indexOf({ content, consolidated }: StoredDocument): Promise<ConsolidatedIndex | undefined> {
  if ('failure' in content) throw errorOf(content.failure);
  return consolidated?.index();
}
