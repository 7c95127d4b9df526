/** Finds the consolidated metadata for a node. Unusable metadata is skipped and reported. */
import { LRUCache } from 'lru-cache';
import { isZarrError, type ZarrError } from '../../core/errors.js';
import { ancestorsOf } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { joinKey } from '../../store/keys.js';
import type { ConsolidatedIndex, ListedNode } from './consolidated-index.js';
import type { DocumentReader, DocumentStates } from './documents.js';
import { errorOfFailure } from './failure.js';
import type { DocumentName, StoredDocument, StoredDocuments } from './stored-document.js';

export interface FoundIndex {
  readonly index?: ConsolidatedIndex | undefined;
  /** Key and version of the document that contains it; undefined if the store has no versions. */
  readonly version?: string | undefined;
  /** The reason why consolidated metadata was skipped. */
  readonly failure?: ZarrError | undefined;
}

/** Consolidated metadata and its description of one node. */
interface DescribingIndex extends FoundIndex {
  readonly index: ConsolidatedIndex;
  readonly node: ListedNode;
}

const names: readonly DocumentName[] = ['zarr.json', '.zmetadata'];

export class ConsolidatedLookup {
  readonly #context: NodeContext;
  readonly #reader: DocumentReader;
  /** Messages that have been reported, by group and subject. */
  readonly #warned = new LRUCache<string, string>({ maxSize: 1000, sizeCalculation: () => 1 });

  constructor(context: NodeContext, reader: DocumentReader) {
    this.#context = context;
    this.#reader = reader;
  }

  /**
   * The nearest usable consolidated metadata, of the node or of a parent group.
   * @param own documents of the node, if known
   * @param states receives the versions of the documents of parent groups
   * @throws store errors, unless they affect only single documents
   */
  async nearest(
    prefix: string,
    own: StoredDocuments | undefined,
    signal: AbortSignal | undefined,
    states?: DocumentStates,
  ): Promise<FoundIndex> {
    const known = own === undefined ? {} : await this.#indexOf(prefix, own);
    if (known.index !== undefined) return known;
    const above = own === undefined ? [prefix, ...ancestorsOf(prefix)] : ancestorsOf(prefix);
    const documents = above.length === 0 ? [] : await this.#reader.read(above, names, signal, states);
    let failure = known.failure;
    for (const [i, holder] of above.entries()) {
      const found = await this.#indexOf(holder, documents[i] ?? {});
      if (found.index !== undefined) return found;
      failure ??= found.failure;
    }
    return { failure };
  }

  /**
   * The nearest consolidated metadata that describes a node, of the node or of a parent group.
   * @param own documents of the node, if known
   * @throws store errors, unless they affect only single documents
   */
  async describing(
    prefix: string,
    own: StoredDocuments | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DescribingIndex | undefined> {
    const above = [prefix, ...ancestorsOf(prefix)];
    const read = await this.#reader.read(own === undefined ? above : above.slice(1), names, signal);
    const documents = own === undefined ? read : [own, ...read];
    for (const [i, holder] of above.entries()) {
      const { index, version } = await this.#indexOf(holder, documents[i] ?? {});
      const node = index?.at(prefix);
      if (index !== undefined && node !== undefined) return { index, node, version };
    }
    return undefined;
  }

  /** Reports a group whose nodes have no documents, once per group. */
  notifyDescribed(holder: string): void {
    this.#report(
      `${holder} `,
      `/${holder}`,
      'some nodes have no metadata documents; they are read from consolidated metadata',
    );
  }

  async #indexOf(prefix: string, documents: StoredDocuments): Promise<FoundIndex> {
    const name = documents['zarr.json'] === undefined ? '.zmetadata' : 'zarr.json';
    const document = documents[name];
    if (document === undefined) return {};
    const version =
      document.version === undefined ? undefined : `${joinKey(prefix, name)}:${document.version}`;
    try {
      return { index: await indexOf(document), version };
    } catch (failure) {
      if (!isZarrError(failure)) throw failure;
      this.#report(prefix, `/${prefix}`, `consolidated metadata is ignored: ${failure.detail}`);
      return { failure };
    }
  }

  #report(key: string, path: string, warning: string): void {
    if (this.#warned.get(key) === warning) return;
    this.#warned.set(key, warning);
    this.#context.warn?.(path, warning);
  }
}

async function indexOf({ content, consolidated }: StoredDocument): Promise<ConsolidatedIndex | undefined> {
  if ('failure' in content) throw errorOfFailure(content.failure);
  return consolidated?.index();
}
