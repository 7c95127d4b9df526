/**
 * Finds the nodes below a path from the names in folders and their metadata, for stores without
 * consolidated metadata and for refreshes. Lazy and in code point order of whole paths, so that a page
 * requires only the folders on its way, not the whole store.
 */
import { MAX_PATH_DEPTH, MAX_PATH_LENGTH } from '../../format/metadata/paths.js';
import { compareCodePoints, isKey, joinKey, sortByCodePoint } from '../../store/keys.js';
import type { KeyStore } from '../../store/store.js';
import { createPause } from '../../core/turns.js';
import type { DocumentReader } from './documents.js';
import { storedKind, type DocumentName, type StoredDocuments } from './stored-document.js';

/** A condition on the names of nodes in a listing. Subtrees that cannot match are not visited. */
export interface WalkCondition {
  /** Whether the node at the path (such as `/a/b`), or any node below it, may match. */
  mayMatchWithin(path: string): boolean;
  /** Whether any node below the path may match. */
  mayMatchBelow(path: string): boolean;
  /** The name of the only child that may match; undefined if several may match. */
  onlyChild(path: string): string | undefined;
  matches(path: string, kind: 'group' | 'array'): boolean;
}

interface WalkOptions {
  readonly signal: AbortSignal | undefined;
  readonly recursive: boolean;
  /** Whether to visit nodes below folders without metadata. */
  readonly throughFolders: boolean;
  /** The names of possible nodes directly below a prefix. */
  readonly childrenOf: (prefix: string) => Promise<readonly string[]>;
  /** Restricts the walk to nodes after this prefix. */
  readonly after: string | undefined;
  /** Whether to visit a prefix and the nodes below it. @default all */
  readonly canTraverse?: ((prefix: string) => boolean) | undefined;
  /** Whether to visit the nodes below a prefix. @default all */
  readonly mayMatchBelow?: ((prefix: string) => boolean) | undefined;
  /** The name of the only folder to visit below a prefix. Other folders are not listed. */
  readonly onlyChild?: ((prefix: string) => string | undefined) | undefined;
  /** Called for each folder that has no metadata. */
  readonly withoutNode?: ((prefix: string) => void) | undefined;
}

/** A node found by a walk. */
export interface FoundNode {
  /** Prefix of the node, such as "a/b". */
  readonly prefix: string;
  readonly kind: 'group' | 'array';
  readonly documents: StoredDocuments;
}

const nodeDocuments: readonly DocumentName[] = ['zarr.json', '.zarray', '.zgroup', '.zattrs'];
/** Number of names of a listing that are processed before yielding. */
const NAMES_AT_ONCE = 1024;
/** Number of folders whose metadata is read together. */
const LOOKED_UP_TOGETHER = 32;

/** The folders of one listing, in order, whose metadata is read in batches. */
class FolderQueue {
  #at = 0;
  #documents = new Map<string, StoredDocuments>();
  constructor(
    readonly prefixes: readonly string[],
    readonly reader: DocumentReader,
    readonly signal: AbortSignal | undefined,
  ) {}

  get next(): string | undefined {
    return this.prefixes[this.#at];
  }

  async take(): Promise<{ prefix: string; documents: StoredDocuments } | undefined> {
    const prefix = this.next;
    if (prefix === undefined) return undefined;
    if (!this.#documents.has(prefix)) {
      const batch = this.prefixes.slice(this.#at, this.#at + LOOKED_UP_TOGETHER);
      const documents = await this.reader.read(batch, nodeDocuments, this.signal);
      this.#documents = new Map(batch.map((folder, i) => [folder, documents[i] ?? {}]));
    }
    this.#at++;
    return { prefix, documents: this.#documents.get(prefix) ?? {} };
  }
}

/** The folders of a store that can be listed, for `childrenOf`. @throws UnsupportedError for other stores */
export function foldersOf(store: KeyStore, signal: AbortSignal | undefined): WalkOptions['childrenOf'] {
  return async (prefix) => (await store.list(prefix, { signal })).folders;
}

/** @param prefix prefix of the node whose descendants are listed */
export async function* walkStore(
  reader: DocumentReader,
  prefix: string,
  options: WalkOptions,
): AsyncGenerator<FoundNode> {
  const queues: FolderQueue[] = [];
  const pause = createPause();
  const open = async (folder: string): Promise<void> => {
    if (isTooDeep(folder)) return;
    const only = options.onlyChild?.(folder);
    const names = only === undefined ? await options.childrenOf(folder) : [only].filter(isKey);
    const prefixes: string[] = [];
    let isSorted = true;
    for (const [i, name] of names.entries()) {
      if (i % NAMES_AT_ONCE === 0) await pause();
      const child = joinKey(folder, name);
      if (options.canTraverse?.(child) === false || !mayHoldLater(child, options.recursive, options.after))
        continue;
      const before = prefixes.at(-1);
      isSorted &&= before === undefined || compareCodePoints(before, child) < 0;
      prefixes.push(child);
    }
    if (!isSorted) sortByCodePoint(prefixes);
    if (prefixes.length > 0) queues.push(new FolderQueue(prefixes, reader, options.signal));
  };
  await open(prefix);
  for (;;) {
    await pause();
    // The smallest head of all queues is the next node, because all nodes below a folder come after it.
    const queue = smallest(queues);
    const found = await queue?.take();
    if (queue === undefined || found === undefined) return;
    if (queue.next === undefined) queues.splice(queues.indexOf(queue), 1);
    const kind = storedKind(found.documents);
    if (kind === undefined) options.withoutNode?.(found.prefix);
    if (kind !== undefined && isLater(found.prefix, options.after)) yield { ...found, kind };
    const hasBelow = kind === 'group' || (kind === undefined && options.throughFolders);
    if (options.recursive && hasBelow && options.mayMatchBelow?.(found.prefix) !== false)
      await open(found.prefix);
  }
}

/**
 * Whether nodes below a path would be too deep, or the path is too long. Cycles of symbolic links create such
 * paths.
 */
function isTooDeep(folder: string): boolean {
  return folder.length > MAX_PATH_LENGTH || folder.split('/').length >= MAX_PATH_DEPTH;
}

function smallest(queues: readonly FolderQueue[]): FolderQueue | undefined {
  let best: FolderQueue | undefined;
  for (const queue of queues) {
    if (
      best?.next === undefined ||
      (queue.next !== undefined && compareCodePoints(queue.next, best.next) < 0)
    )
      best = queue;
  }
  return best;
}

function isLater(prefix: string, after: string | undefined): boolean {
  return after === undefined || compareCodePoints(prefix, after) > 0;
}

/** Whether the node itself, or (for a recursive walk) any node below it, comes after `after`. */
function mayHoldLater(prefix: string, recursive: boolean, after: string | undefined): boolean {
  if (isLater(prefix, after) || after === undefined) return true;
  return (
    recursive &&
    (after.startsWith(`${prefix}/`) || compareCodePoints(`${prefix}/`, after) > 0 || after === prefix)
  );
}
