/**
 * Decoded chunks, kept for the reads that come next: a slice of 1 MB may decode 30 MB, and dashboards ask for
 * neighbours. Bounded in bytes, least recently used first. An entry counts only as long as its object has the version
 * that it was decoded from, which every read asks the store.
 */
import { LRUCache } from 'lru-cache';
import type { InnerChunkLocation } from '../sharding/layout.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import { heldBytes } from './item-bytes.js';

export interface CachedChunk {
  readonly version: string;
  readonly chunk: DecodedChunk;
}

/** The chunks of a read that nobody else is decoding, and when those of the others are done. */
export interface Claim {
  readonly mine: ReadonlySet<string>;
  /** Resolves when the others are done, however that ended. */
  readonly others: Promise<unknown>;
  /** To be called when the claimed chunks are decoded, or have failed. */
  release(): void;
}

/** A chunk's name among those of all arrays that share a cache. @param array its `ChunkSource.cacheKey` */
export function cachedId(array: string, { object, entries }: InnerChunkLocation): string {
  return `${array} ${object.join()} ${entries.join()}`;
}

export interface ChunkCache {
  get(id: string): CachedChunk | undefined;
  /** Keeps a copy: what is decoded may live in memory that the next chunk takes. */
  keep(id: string, version: string, chunk: DecodedChunk): void;
  /** Reads that run side by side share the work: each chunk is decoded by the one that claimed it first. */
  claim(ids: readonly string[]): Claim;
}

/** One chunk must not push out everything else. */
const MAX_SHARE = 8;

/** @param maxBytes of decoded values */
export function createChunkCache(maxBytes: number): ChunkCache {
  const maxEntryBytes = Math.floor(maxBytes / MAX_SHARE);
  const entries = new LRUCache<string, CachedChunk>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => bytesOf(entry.chunk) + 512,
  });
  const claimed = new Map<string, Promise<void>>();
  return {
    get: (id) => entries.get(id),
    keep: (id, version, chunk) => {
      if (bytesOf(chunk) <= maxEntryBytes) entries.set(id, { version, chunk: copyOfChunk(chunk) });
    },
    claim: (ids) => {
      let finish: () => void = () => undefined;
      const done = new Promise<void>((resolve) => (finish = resolve));
      const mine = new Set<string>();
      const others = new Set<Promise<void>>();
      for (const id of ids) {
        const working = claimed.get(id);
        if (working !== undefined) others.add(working);
        else {
          claimed.set(id, done);
          mine.add(id);
        }
      }
      return {
        mine,
        others: Promise.all(others),
        release: () => {
          for (const id of mine) claimed.delete(id);
          finish();
        },
      };
    },
  };
}

function bytesOf({ values }: DecodedChunk): number {
  return 'bytes' in values ? values.bytes.length : heldBytes(values.items);
}

function copyOfChunk({ values, strides }: DecodedChunk): DecodedChunk {
  return { values: 'bytes' in values ? { bytes: values.bytes.slice() } : values, strides };
}
