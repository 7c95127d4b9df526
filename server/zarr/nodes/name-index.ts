/** Keeps the names of all nodes of a store: lists it in the background, and follows changes. */
import type { NodeContext, StoredChange } from '../../chunks/node-context.js';
import { DocumentReader } from '../documents/documents.js';
import { NodeNames } from '../documents/node-names.js';
import { type DocumentName, storedKind } from '../documents/stored-document.js';
import { foldersOf, walkStore } from '../documents/walk-store.js';

const nodeDocuments: readonly DocumentName[] = ['zarr.json', '.zarray', '.zgroup'];
/** Maximum number of changes during a listing that are applied to its result. */
const MAX_CHANGES = 100_000;

export class NameIndex {
  readonly #context: NodeContext;
  /** Undefined until the store has been listed. */
  #names: NodeNames | undefined;
  /** Changes since the current listing began; undefined while there is none. */
  #changes: StoredChange[] | undefined;
  /** Whether so many changes were made that the listing is not complete. */
  #hasOverflown = false;
  /** The kinds of created nodes are being read. */
  #pending: Promise<void> = Promise.resolve();

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** Lists the store. @throws store errors, LimitError for too many nodes, AbortedError: the index stays as it was */
  async list(signal: AbortSignal): Promise<NodeNames> {
    const { store, metadataLimits: limits } = this.#context;
    const names = new NodeNames();
    this.#changes = [];
    this.#hasOverflown = false;
    try {
      const reader = new DocumentReader(store, { fresh: true, limits });
      const walked = { signal, recursive: true, throughFolders: true, after: undefined, childrenOf: foldersOf(store, signal) }; // prettier-ignore
      for await (const { prefix, kind } of walkStore(reader, '', walked)) names.append(prefix, kind);
      const changes = this.#changes;
      if (!this.#hasOverflown) {
        this.#names = names;
        for (const change of changes) this.changed(change);
      }
      return names;
    } finally {
      this.#changes = undefined;
    }
  }

  /** Receives a change by this process or another one. Must not throw. */
  changed(change: StoredChange): void {
    const { kind, path } = change;
    if (kind === 'data' || kind === 'resized') return;
    if (this.#changes !== undefined) {
      if (this.#changes.length < MAX_CHANGES) this.#changes.push(change);
      else this.#hasOverflown = true;
    }
    const names = this.#names;
    if (names === undefined) return;
    const prefix = path.slice(1);
    if (kind === 'deleted') names.delete(prefix);
    else if (kind === 'created' || !names.has(prefix))
      this.#pending = this.#pending.then(() => this.#look(names, prefix));
  }

  /** The names, with all changes that were reported; undefined if the store has not been listed. */
  async current(): Promise<NodeNames | undefined> {
    if (this.#names === undefined) return undefined;
    await this.#pending;
    return this.#names;
  }

  async #look(names: NodeNames, prefix: string): Promise<void> {
    const { store, metadataLimits: limits } = this.#context;
    try {
      const reader = new DocumentReader(store, { fresh: true, limits });
      const [documents = {}] = await reader.read([prefix], nodeDocuments, undefined);
      const kind = storedKind(documents);
      if (kind !== undefined) names.set(prefix, kind);
    } catch {
      // The next listing finds the node.
    }
  }
}
