/** Keeps the names of all nodes of a store: lists it in the background, and follows changes. */
import type { NodeContext, StoredChange } from '../../chunks/node-context.js';
import { InputError, StoreUnavailableError } from '../../core/errors.js';
import { createPause } from '../../core/turns.js';
import { isKey } from '../../store/keys.js';
import { wait } from '../../store/retries.js';
import { DocumentReader } from '../documents/documents.js';
import { type NodeKindName, NodeNames } from '../documents/node-names.js';
import { type DocumentName, storedKind } from '../documents/stored-document.js';
import { foldersOf, walkStore } from '../documents/walk-store.js';

const nodeDocuments: readonly DocumentName[] = ['zarr.json', '.zarray', '.zgroup'];
/** Maximum number of changes during a listing that are applied to its result. */
const MAX_CHANGES = 100_000;
/** Time that a search waits for the first names, in ms. */
const FIRST_MS = 10_000;

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
  /** Resolves when the first names are known, or cannot be; undefined if none are expected. */
  #first: { readonly known: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** From now on, `current` waits for the first names, unless `unexpect` is called. */
  expect(): void {
    let resolve = (): void => {};
    const known = new Promise<void>((done) => {
      resolve = done;
    });
    this.#first ??= { known, resolve };
  }

  unexpect(): void {
    this.#first?.resolve();
    this.#first = undefined;
  }

  /** Lists the store. @throws store errors, LimitError for too many nodes, AbortedError: the index stays as it was */
  async list(signal: AbortSignal): Promise<NodeNames> {
    const { store, metadataLimits: limits } = this.#context;
    return this.#take(async (names) => {
      const reader = new DocumentReader(store, { fresh: true, limits });
      const walked = { signal, recursive: true, throughFolders: true, after: undefined, childrenOf: foldersOf(store, signal) }; // prettier-ignore
      for await (const { prefix, kind } of walkStore(reader, '', walked)) names.append(prefix, kind);
      return [];
    });
  }

  /**
   * Takes names that another process has listed.
   * @param later returns the changes since the listing began
   * @throws InputError if they are no sorted paths; LimitError for too many: the index stays as it was
   */
  async adopt(
    blocks: readonly (readonly (readonly [kind: NodeKindName, prefix: string])[])[],
    later: () => readonly StoredChange[],
  ): Promise<NodeNames> {
    const pause = createPause();
    return this.#take(async (names) => {
      for (const block of blocks) {
        for (const [kind, prefix] of block) {
          if (!names.isNext(prefix) || (prefix !== '' && !isKey(prefix)))
            throw new InputError('the names of nodes are not sorted paths');
          names.append(prefix, kind);
        }
        await pause();
      }
      return later();
    });
  }

  /** @param fill adds all names. @returns changes since the names were listed, before those during the call */
  async #take(fill: (names: NodeNames) => Promise<readonly StoredChange[]>): Promise<NodeNames> {
    const names = new NodeNames();
    this.#changes = [];
    this.#hasOverflown = false;
    try {
      const earlier = await fill(names);
      const changes = this.#changes;
      if (!this.#hasOverflown) {
        this.#names = names;
        for (const change of [...earlier, ...changes]) this.changed(change);
        this.unexpect();
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

  /**
   * The names, with all changes that were reported; undefined if the store is not listed in the background.
   * @throws StoreUnavailableError if the first listing takes long
   */
  async current(signal: AbortSignal | undefined): Promise<NodeNames | undefined> {
    if (this.#names === undefined && this.#first !== undefined) {
      await Promise.race([this.#first.known, wait(FIRST_MS, signal)]);
      if (this.#first !== undefined)
        throw new StoreUnavailableError(
          'the names of all nodes are being listed for the first time; try again later',
          {
            where: { store: this.#context.store.label },
          },
        );
    }
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
