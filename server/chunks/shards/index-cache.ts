/**
 * Cache of decoded outermost shard indexes, valid while their shards are unchanged. The process has one size limit for
 * all indexes.
 */
import { LRUCache } from 'lru-cache';
import type { ShardIndex } from '../../format/codec/sharding/shard-index.js';

/** An outermost shard index, and the version of its shard. */
export interface KnownIndex {
  readonly index: ShardIndex;
  readonly version: string;
}

/** The indexes of one array, by the keys of its shards. */
export type ShardIndexCache = ReturnType<typeof createShardIndexCache>;

const MAX_BYTES = 64 * 2 ** 20;
/** Maximum size, in bytes, of an index to cache. A larger one would evict too many others. */
const MAX_INDEX_BYTES = MAX_BYTES / 4;
const ENTRY_OVERHEAD_BYTES = 512;

const indexes = new LRUCache<string, KnownIndex>({
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_INDEX_BYTES,
  sizeCalculation: ({ index }, key) => index.bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES,
});
let owners = 0;

/** Creates the part of the cache for one open array. Entries are evicted in least recently used order. */
export function createShardIndexCache() {
  const owner = String(++owners);
  return {
    get: (key: string): KnownIndex | undefined => indexes.get(`${owner} ${key}`),
    set: (key: string, known: KnownIndex): void => void indexes.set(`${owner} ${key}`, known),
    /** Removes the index of a changed shard. */
    delete: (key: string): void => void indexes.delete(`${owner} ${key}`),
  };
}
