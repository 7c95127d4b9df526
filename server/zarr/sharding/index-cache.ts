/**
 * Cache of decoded outermost shard indexes, valid while their shards are unchanged. One size limit for the
 * process.
 */
import { LRUCache } from 'lru-cache';
import type { ShardIndex } from './shard-index.js';

/** An outermost index, and the version of its shard. */
export interface KnownIndex {
  readonly index: ShardIndex;
  readonly version: string;
}

/** The indexes of one array, by the keys of its shards. */
export interface ShardIndexCache {
  get(key: string): KnownIndex | undefined;
  set(key: string, known: KnownIndex): void;
}

const maxBytes = 64 * 2 ** 20;
/** Larger indexes would displace all others. */
const maxIndexBytes = maxBytes / 4;
const entryOverheadBytes = 512;

const indexes = new LRUCache<string, KnownIndex>({
  maxSize: maxBytes,
  maxEntrySize: maxIndexBytes,
  sizeCalculation: ({ index }, key) => index.bytes + key.length * 2 + entryOverheadBytes,
});
let owners = 0;

/** The part of the cache that belongs to one open array; unused entries are evicted, least recently used first. */
export function createShardIndexCache(): ShardIndexCache {
  const owner = String(++owners);
  return {
    get: (key) => indexes.get(`${owner} ${key}`),
    set: (key, known) => void indexes.set(`${owner} ${key}`, known),
  };
}
