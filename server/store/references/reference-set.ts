import type { Listing, ReadOptions, StoredObject } from '../store.js';
import type { Reference } from './reference.js';

/** One state of a set of references. */
export interface ReferenceSet {
  /** Consolidated metadata of all nodes, derived from their documents; undefined if they have another form. */
  readonly consolidated: Uint8Array | undefined;
  /** What each key refers to; undefined for keys without a reference. @throws MetadataError, UnsupportedError, LimitError */
  find(
    keys: readonly string[],
    options?: ReadOptions,
  ): Promise<readonly (Reference | undefined)[]> | readonly (Reference | undefined)[];
  list(folder: string, options?: ReadOptions): Promise<Listing>;
  /** All objects below a folder, in order. The size of a whole file is unknown, and 0. */
  walk(folder: string, options?: ReadOptions): AsyncIterable<StoredObject>;
}
