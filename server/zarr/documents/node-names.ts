/**
 * The paths and kinds of all nodes of a store without consolidated metadata, from a listing in the background and from
 * changes since. It has no metadata: the documents of nodes that a search finds are read for each search.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../core/bytes/search.js';
import { LimitError } from '../../core/errors.js';
import { compareCodePoints } from '../../store/keys.js';
import { firstClosed } from './consolidated-paths.js';

export type NodeKindName = 'group' | 'array';

export interface NamedNode {
  readonly prefix: string;
  readonly kind: NodeKindName;
}

/** Maximum memory of the names, at two bytes a character and `ENTRY_BYTES` a node. */
export const MAX_NAME_BYTES = 512 * 2 ** 20;
const ENTRY_BYTES = 72;
const LAST_CHARACTER = '\u{10FFFF}';

export class NodeNames {
  /** In code point order. */
  readonly #prefixes: string[] = [];
  readonly #kinds: NodeKindName[] = [];
  #heldBytes = 0;

  get size(): number {
    return this.#prefixes.length;
  }

  /** Approximate memory in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Adds a node that comes after all others. @throws LimitError beyond `MAX_NAME_BYTES` */
  append(prefix: string, kind: NodeKindName): void {
    this.#heldBytes += 2 * prefix.length + ENTRY_BYTES;
    if (this.#heldBytes > MAX_NAME_BYTES)
      throw new LimitError('the store has too many nodes for an index of their names', {
        excess: [{ limit: 'maxNameBytes', allowed: MAX_NAME_BYTES, needed: this.#heldBytes }],
      });
    this.#prefixes.push(prefix);
    this.#kinds.push(kind);
  }

  /** All nodes, in order. */
  *entries(): Generator<readonly [kind: NodeKindName, prefix: string]> {
    for (const [i, prefix] of this.#prefixes.entries()) yield [defined(this.#kinds[i]), prefix];
  }

  /** Whether a prefix may be appended. */
  isNext(prefix: string): boolean {
    const last = this.#prefixes.at(-1);
    return last === undefined || compareCodePoints(last, prefix) < 0;
  }

  has(prefix: string): boolean {
    return this.#prefixes[this.#firstFrom(prefix)] === prefix;
  }

  /** Adds or replaces a node. */
  set(prefix: string, kind: NodeKindName): void {
    const at = this.#firstFrom(prefix);
    if (this.#prefixes[at] === prefix) this.#kinds[at] = kind;
    else {
      this.#prefixes.splice(at, 0, prefix);
      this.#kinds.splice(at, 0, kind);
      this.#heldBytes += 2 * prefix.length + ENTRY_BYTES;
    }
  }

  /** Removes a node and all nodes below it. */
  delete(prefix: string): void {
    const at = this.#firstFrom(prefix);
    if (this.#prefixes[at] === prefix) this.#remove(at, 1);
    const start = prefix === '' ? 0 : this.#firstFrom(`${prefix}/`);
    const end = prefix === '' ? this.size : this.#firstFrom(`${prefix}/${LAST_CHARACTER}`);
    this.#remove(start, end - start);
  }

  /** Yields the nodes at and below a prefix in order, and undefined in place of subtrees that must not be entered. */
  *within(
    prefix: string,
    inside: string,
    after: string | undefined,
    canTraverse: ((prefix: string) => boolean) | undefined,
  ): Generator<NamedNode | undefined> {
    let i = after !== undefined && compareCodePoints(after, prefix) >= 0 ? this.#firstAfter(after) : this.#firstFrom(prefix); // prettier-ignore
    const below = prefix === '' ? '' : `${prefix}/`;
    for (; i < this.#prefixes.length; i++) {
      const path = defined(this.#prefixes[i]);
      if (path !== prefix && !path.startsWith(below)) {
        // Between a node and those below it come others: "a", "a-b", "a/c".
        if (!path.startsWith(prefix)) return;
        continue;
      }
      // The root is not below itself.
      if (path === '' || path.length <= inside.length) continue;
      const closed = canTraverse === undefined ? undefined : firstClosed(path, inside, canTraverse);
      if (closed === undefined) {
        yield { prefix: path, kind: defined(this.#kinds[i]) };
        continue;
      }
      if (closed !== path) i = Math.max(i, this.#firstAfter(`${closed}/${LAST_CHARACTER}`) - 1);
      yield undefined;
    }
  }

  #remove(start: number, count: number): void {
    for (const prefix of this.#prefixes.splice(start, count))
      this.#heldBytes -= 2 * prefix.length + ENTRY_BYTES;
    this.#kinds.splice(start, count);
  }

  /** The index of the first prefix that is not before `text`. */
  #firstFrom(text: string): number {
    const prefixes = this.#prefixes;
    return firstIndexWhere(0, prefixes.length, (i) => compareCodePoints(defined(prefixes[i]), text) >= 0);
  }

  #firstAfter(text: string): number {
    const prefixes = this.#prefixes;
    return firstIndexWhere(0, prefixes.length, (i) => compareCodePoints(defined(prefixes[i]), text) > 0);
  }
}
