/** Consolidated metadata as a listing: sorted once, then looked up. Kept as long as its document is the same object. */
import { consolidatedOf, parseConsolidatedV2, type Consolidated } from '../metadata/consolidated.js';
import { kindOf, type NodeDocuments } from '../metadata/resolve-node.js';
import { compareCodePoints, joinKey, sortByCodePoint } from '../store/keys.js';
import { jsonOf, type StoredDocument, type StoredDocuments } from './documents.js';

/** A node as consolidated metadata lists it. */
export interface ListedNode {
  readonly prefix: string;
  readonly kind: 'group' | 'array';
  readonly documents: NodeDocuments;
}

export class ConsolidatedIndex {
  /** Prefixes of all nodes, the whole store's names, in code point order. */
  readonly #prefixes: readonly string[];
  readonly #nodes: ReadonlyMap<string, NodeDocuments>;

  /** @param prefix of the group that holds the consolidated metadata */
  constructor(prefix: string, { nodes }: Consolidated) {
    const whole = new Map<string, NodeDocuments>();
    for (const [path, documents] of nodes) {
      if (path !== '/') whole.set(joinKey(prefix, path.slice(1)), documents);
    }
    this.#nodes = whole;
    this.#prefixes = sortByCodePoint([...whole.keys()]);
  }

  *below(prefix: string, options: { recursive: boolean; after: string | undefined }): Generator<ListedNode> {
    const inside = prefix === '' ? '' : `${prefix}/`;
    const after =
      options.after === undefined || compareCodePoints(options.after, inside) < 0 ? inside : options.after;
    for (let i = this.#firstAfter(after); i < this.#prefixes.length; i++) {
      const found = this.#prefixes[i] ?? '';
      if (!found.startsWith(inside)) return;
      if (!options.recursive && found.includes('/', inside.length)) continue;
      const documents = this.#nodes.get(found) ?? {};
      const kind = kindOf(documents);
      if (kind !== undefined) yield { prefix: found, kind, documents };
    }
  }

  /** @param counts whether a node is among those that count */
  count(prefix: string, recursive: boolean, counts: (prefix: string) => boolean): number {
    let count = 0;
    for (const node of this.below(prefix, { recursive, after: undefined })) if (counts(node.prefix)) count++;
    return count;
  }

  /** The place of the first prefix that comes later than `text`. */
  #firstAfter(text: string): number {
    let [low, high] = [0, this.#prefixes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareCodePoints(this.#prefixes[middle] ?? '', text) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Indexes by the document that they were made of. */
export class ConsolidatedIndexes {
  readonly #made = new WeakMap<StoredDocument, { readonly index: ConsolidatedIndex | undefined }>();

  /** @returns undefined where the node's documents hold no consolidated metadata. @throws MetadataError */
  of(prefix: string, documents: StoredDocuments): ConsolidatedIndex | undefined {
    const zarrJson = documents['zarr.json'];
    const holder = zarrJson ?? documents['.zmetadata'];
    if (holder === undefined) return undefined;
    const known = this.#made.get(holder);
    if (known !== undefined) return known.index;
    const json = jsonOf(holder);
    if (json === undefined) return undefined;
    const consolidated = zarrJson === undefined ? parseConsolidatedV2(json) : consolidatedOf(json);
    const index = consolidated === undefined ? undefined : new ConsolidatedIndex(prefix, consolidated);
    this.#made.set(holder, { index });
    return index;
  }
}
