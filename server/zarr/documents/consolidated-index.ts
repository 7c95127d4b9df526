/**
 * Index of consolidated metadata: the paths of its nodes in order, and the locations of their documents in
 * the text. Documents are parsed only when they are needed, to save memory.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../core/bytes/search.js';
import { latin1FromBytes } from '#platform';
import { parseJsonSteps } from '../../core/bytes/parse-json.js';
import type { JsonValue } from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import type { MetadataLimits } from '../../core/limits.js';
import { ConsolidatedScan, type ScannedMember } from '../../format/metadata/consolidated.js';
import { documentKeys, type NodeDocuments } from '../../format/metadata/resolve-node.js';
import { KERCHUNK_PARQUET } from '../../store/foreign-format.js';
import { compareCodePoints } from '../../store/keys.js';
import { sortPaths } from '../../store/sort-in-steps.js';
import { assertDocumentLength, SHORT_BYTES } from './document-length.js';
import { PIECE_NODES, firstClosed, pathsOf } from './consolidated-paths.js';
import { parseRepeated } from './repeated-texts.js';
import { withoutSpan } from './without-span.js';

/** A node in consolidated metadata. */
export interface ListedNode {
  readonly prefix: string;
  readonly kind: 'group' | 'array';
  /** Total size of the documents in bytes. */
  readonly bytes: number;
  /** Whether parent groups may determine the metadata of the node; see `NetcdfGroups`. Does not parse. */
  mayDependOnWriter(): boolean;
  /**
   * Parses the documents; yields between pieces.
   * @throws MetadataError for an invalid document; LimitError for a document that is too long
   */
  documents(): Generator<void, NodeDocuments, void>;
}

const v2Names = ['.zarray', '.zgroup', '.zattrs'] as const;
/**
 * Number of entries per node: start and end of three documents, or of one document and its consolidated
 * metadata.
 */
const SLOTS = 6;
const PIECE_BYTES = 64 * 1024;
const MAX_LOOKED = 1000;
const SAMPLED = 32;
const kinds = [undefined, 'group', 'array'] as const;

export class ConsolidatedIndex {
  /** Prefixes of all nodes, relative to the store's root, in code point order. */
  readonly #prefixes: readonly string[];
  /** One index into `kinds` per node. */
  readonly #kinds: Uint8Array;
  readonly #slots: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #name: 'zarr.json' | '.zmetadata';
  readonly #limits: MetadataLimits;
  /** Prefix of the group whose document contains the consolidated metadata. */
  readonly holder: string;
  #sampled: readonly string[] | undefined;

  private constructor(
    text: ConsolidatedText,
    nodes: { readonly prefixes: readonly string[]; readonly kinds: Uint8Array; readonly slots: Uint32Array },
  ) {
    this.#prefixes = nodes.prefixes;
    this.#kinds = nodes.kinds;
    this.#slots = nodes.slots;
    this.#bytes = text.bytes;
    this.#name = text.name;
    this.#limits = text.limits;
    this.holder = text.prefix;
  }

  /**
   * Builds an index; yields between pieces.
   * @param scan scan of the text, which may be incomplete
   * @returns undefined if the document has no consolidated metadata
   * @throws MetadataError for invalid metadata, including a key that is not a path in the store;
   * UnsupportedError; LimitError for a text that is too long
   */
  static *make(
    text: ConsolidatedText,
    scan = new ConsolidatedScan(text.bytes, text.name),
  ): Generator<void, ConsolidatedIndex | undefined, void> {
    assertDocumentLength('maxConsolidatedBytes', text.bytes.length, text.limits);
    while (!scan.run(PIECE_BYTES)) yield;
    if (scan.refersToParquet) throw new UnsupportedError(KERCHUNK_PARQUET);
    if (scan.members[0]?.members === undefined) return undefined;
    const { paths, memberIndices, ranks } = yield* pathsOf(scan, text.prefix);
    const order = yield* sortPaths(paths, ranks);
    const prefixes: string[] = [];
    const slots = new Uint32Array(order.length * SLOTS);
    const nodeKinds = new Uint8Array(order.length);
    for (const [i, at] of order.entries()) {
      if (i % PIECE_NODES === 0) yield;
      const path = paths[at] ?? '';
      const memberIndex = defined(memberIndices[at]);
      const member = scan.members[memberIndex];
      if (member === undefined) continue;
      const isNew = prefixes.at(-1) !== path;
      const before = isNew ? undefined : scan.members[defined(memberIndices[defined(order[i - 1])])];
      if (before?.parent === member.parent && before.key === member.key)
        throw new MetadataError(`consolidated metadata has the duplicate key ${describeJson(member.key)}`);
      if (isNew) prefixes.push(path);
      const node = prefixes.length - 1;
      if (text.name === '.zmetadata') putDocument(slots, nodeKinds, node, member);
      // The entry of the outer group comes first and takes precedence.
      else if (isNew) {
        const { start, end, consolidated, kind } = member;
        slots.set([start, end, consolidated?.start ?? 0, consolidated?.end ?? 0], node * SLOTS);
        nodeKinds[node] = kinds.indexOf(kind);
      }
    }
    return new ConsolidatedIndex(text, { prefixes, kinds: nodeKinds, slots });
  }

  /** Approximate memory in addition to the text, in bytes. */
  get heldBytes(): number {
    return this.#prefixes.length * 100;
  }

  /** Yields the nodes below a prefix in order, and undefined in place of subtrees that must not be entered. */
  *below(prefix: string, options: BelowOptions): Generator<ListedNode | undefined> {
    const inside = prefix === '' ? '' : `${prefix}/`;
    const after =
      options.after === undefined || compareCodePoints(options.after, inside) < 0 ? inside : options.after;
    for (let i = this.#firstAfter(after); i < this.#prefixes.length; i++) {
      const path = this.#prefixes[i] ?? '';
      if (!path.startsWith(inside)) return;
      if (!options.recursive && path.includes('/', inside.length)) continue;
      const kind = kinds[defined(this.#kinds[i])];
      if (path === '' || kind === undefined) continue;
      const closed =
        options.canTraverse === undefined ? undefined : firstClosed(path, inside, options.canTraverse);
      if (closed !== undefined) {
        // The descendants are contiguous, but do not always directly follow the node ("a", "a-b", "a/c").
        if (closed !== path) i = Math.max(i, this.#firstAfter(`${closed}/${LAST_CHARACTER}`) - 1);
        yield undefined;
        continue;
      }
      yield this.#nodeAt(i, kind);
    }
  }

  /** The node at a path according to this index. */
  at(prefix: string): ListedNode | undefined {
    const i = this.#firstAfter(prefix) - 1;
    const kind = this.#prefixes[i] === prefix ? kinds[defined(this.#kinds[i])] : undefined;
    return kind === undefined ? undefined : this.#nodeAt(i, kind);
  }

  /**
   * Returns up to `count` of the nearest arrays on each side of a node and its descendants. Visits at most
   * `MAX_LOOKED` nodes on each side.
   */
  arraysBeside(prefix: string, count: number): string[] {
    const side = (from: number, step: 1 | -1): string[] => {
      const arrays: string[] = [];
      for (let n = 0; n < MAX_LOOKED && arrays.length < count; n++) {
        const path = this.#arrayAt(from + n * step);
        if (path !== undefined && path !== prefix) arrays.push(path);
      }
      return arrays;
    };
    const inside = this.#firstAfter(`${prefix}/`);
    const behind = this.#firstAfter(`${prefix}/${LAST_CHARACTER}`);
    return [...side(inside - 1, -1), ...side(behind, 1)];
  }

  /** Returns up to `SAMPLED` evenly distributed arrays. */
  get sampledArrays(): readonly string[] {
    return (this.#sampled ??= this.#sample());
  }

  #sample(): string[] {
    const isArray = kinds.indexOf('array');
    const count = this.#kinds.reduce((sum, kind) => sum + (kind === isArray ? 1 : 0), 0);
    const sampled: string[] = [];
    let passed = 0;
    for (let i = 0; i < this.#prefixes.length; i++) {
      if (this.#kinds[i] !== isArray) continue;
      const isNext = passed++ >= (sampled.length * count) / Math.min(count, SAMPLED);
      const path = this.#arrayAt(i);
      if (isNext && path !== undefined) sampled.push(path);
    }
    return sampled;
  }

  /** The prefix of a node that is an array and not the holder; undefined for other nodes. */
  #arrayAt(i: number): string | undefined {
    const path = this.#prefixes[i];
    if (path === undefined || path === this.holder) return undefined;
    return kinds[defined(this.#kinds[i])] === 'array' ? path : undefined;
  }

  #nodeAt(i: number, kind: ListedNode['kind']): ListedNode {
    const documents = (): Generator<void, NodeDocuments, void> => this.#documentsAt(i);
    return {
      ...{ prefix: this.#prefixes[i] ?? '', kind, bytes: this.#bytesAt(i), documents },
      mayDependOnWriter: () => this.#hasElementSize(i),
    };
  }

  /**
   * Number of nodes below a prefix; yields between pieces.
   * @param counts decides whether a node is counted
   */
  *count(
    prefix: string,
    recursive: boolean,
    counts: (node: ListedNode) => boolean,
    canTraverse?: (prefix: string) => boolean,
  ): Generator<void, number, void> {
    let looked = 0;
    let count = 0;
    for (const node of this.below(prefix, { recursive, after: undefined, canTraverse })) {
      if (++looked % PIECE_NODES === 0) yield;
      if (node !== undefined && counts(node)) count++;
    }
    return count;
  }

  #spanAt(i: number, document: number): { readonly start: number; readonly end: number } {
    const at = i * SLOTS + document * 2;
    return { start: defined(this.#slots[at]), end: defined(this.#slots[at + 1]) };
  }

  #bytesAt(i: number): number {
    const length = ({ start, end }: { start: number; end: number }): number => end - start;
    if (this.#name === 'zarr.json') return length(this.#spanAt(i, 0));
    return v2Names.reduce((sum, _, document) => sum + length(this.#spanAt(i, document)), 0);
  }

  #hasElementSize(i: number): boolean {
    if (this.#name === 'zarr.json') return false;
    const { start, end } = this.#spanAt(i, v2Names.indexOf('.zarray'));
    return latin1FromBytes(this.#bytes, start, end).includes('"elementsize"');
  }

  *#documentsAt(i: number): Generator<void, NodeDocuments, void> {
    if (this.#name === 'zarr.json') {
      const span = this.#spanAt(i, 0);
      // The documents include the consolidated metadata of the node if it is within the limit on documents.
      const isShort = span.end - span.start <= this.#limits.maxDocumentBytes;
      const text = isShort
        ? this.#bytes.subarray(span.start, span.end)
        : withoutSpan(this.#bytes, span, this.#spanAt(i, 1));
      return { zarrJson: yield* this.#parse(text) };
    }
    const documents: Record<string, JsonValue> = {};
    for (const [document, name] of v2Names.entries()) {
      const { start, end } = this.#spanAt(i, document);
      if (end > start) documents[documentKeys[name]] = yield* this.#parse(this.#bytes.subarray(start, end));
    }
    return documents;
  }

  *#parse(text: Uint8Array): Generator<void, JsonValue, void> {
    if (text.length <= SHORT_BYTES) return parseRepeated(text);
    assertDocumentLength('maxDocumentBytes', text.length, this.#limits);
    return yield* parseJsonSteps(text);
  }

  /** The index of the first prefix after `text`. */
  #firstAfter(text: string): number {
    const prefixes = this.#prefixes;
    return firstIndexWhere(0, prefixes.length, (i) => compareCodePoints(prefixes[i] ?? '', text) > 0);
  }
}

interface BelowOptions {
  readonly recursive: boolean;
  /** Restricts the walk to prefixes after this one. */
  readonly after: string | undefined;
  /** Whether a node, or any node below it, is wanted. @default all */
  readonly canTraverse?: ((prefix: string) => boolean) | undefined;
}

const LAST_CHARACTER = '\u{10FFFF}';

export interface ConsolidatedText {
  /** Prefix of the group whose document contains the consolidated metadata. */
  readonly prefix: string;
  readonly name: 'zarr.json' | '.zmetadata';
  readonly bytes: Uint8Array;
  readonly limits: MetadataLimits;
}

function putDocument(slots: Uint32Array, nodeKinds: Uint8Array, node: number, member: ScannedMember): void {
  const name = member.key.slice(member.key.lastIndexOf('/') + 1);
  const document = v2Names.findIndex((known) => known === name);
  const at = node * SLOTS + document * 2;
  if (slots[at + 1] !== 0)
    throw new MetadataError(`consolidated metadata has the duplicate key ${describeJson(member.key)}`);
  slots.set([member.start, member.end], at);
  if (name === '.zarray') nodeKinds[node] = kinds.indexOf('array');
  else if (name === '.zgroup' && nodeKinds[node] === 0) nodeKinds[node] = kinds.indexOf('group');
}
