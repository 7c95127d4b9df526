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

const DEFAULT_BYTES = 64 * 2 ** 20;
/** An index larger than 1/MAX_SHARE of the cache is not cached, because it would evict too many others. */
const MAX_SHARE = 4;
const ENTRY_OVERHEAD_BYTES = 512;

let indexes = createIndexes(DEFAULT_BYTES);
let owners = 0;

function createIndexes(maxBytes: number): LRUCache<string, KnownIndex> {
  return new LRUCache({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / MAX_SHARE),
    sizeCalculation: ({ index }, key) => index.bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES,
  });
}

/** Changes the size of the cache, and empties it. */
export function limitShardIndexes(maxBytes: number): void {
  indexes = createIndexes(maxBytes);
}

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
