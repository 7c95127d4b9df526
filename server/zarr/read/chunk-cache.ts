/**
 * Cache of decoded chunks for later reads: a slice of 1 MB may decode 30 MB, and dashboards request
 * neighbours. Bounded in bytes, least recently used first. An entry is used only if its object still has
 * the decoded version. Every read requests the version from the store.
 */
import { LRUCache } from 'lru-cache';
import type { InnerChunkLocation } from '../sharding/layout.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import { heldBytes } from './item-bytes.js';
import type { ReadTask } from './plan.js';

export interface CachedChunk {
  readonly version: string;
  readonly chunk: DecodedChunk;
}

/** Chunks claimed by a read. No other read decodes them. */
export interface Claim {
  /** For each chunk, whether this read must decode it. */
  readonly isMine: readonly boolean[];
  /** Resolves when the reads that decode the other chunks have ended, successfully or not. */
  readonly others: Promise<unknown>;
  /** Call when the claimed chunks are decoded or have failed. */
  release(): void;
}

/** The chunks of one array. */
export interface ArrayChunks {
  get(place: InnerChunkLocation): CachedChunk | undefined;
  /** Stores a copy, because the memory of a decoded chunk may be reused for the next chunk. */
  keep(place: InnerChunkLocation, version: string, chunk: DecodedChunk): void;
  /** Concurrent reads share the decoding: the first read that claims a chunk decodes it. */
  claim(places: readonly InnerChunkLocation[]): Claim;
}

export interface ChunkCache {
  readonly maxBytes: number;
  /** @param array see `ChunkSource.cacheKey` */
  chunksOf(array: string): ArrayChunks;
}

/** Maximum share of the cache for one chunk, so that it does not evict all other chunks. */
const MAX_SHARE = 8;

/** @param maxBytes maximum bytes of decoded values */
export function createChunkCache(maxBytes: number): ChunkCache {
  const maxEntryBytes = Math.floor(maxBytes / MAX_SHARE);
  const entries = new LRUCache<string, CachedChunk>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => chunkBytes(entry.chunk) + 512,
  });
  const claimed = new Map<string, Promise<void>>();
  return {
    maxBytes,
    chunksOf: (array) => {
      const idOf = ({ object, entries }: InnerChunkLocation): string =>
        `${array} ${object.join()} ${entries.join()}`;
      return {
        get: (place) => entries.get(idOf(place)),
        keep: (place, version, chunk) => {
          if (chunkBytes(chunk) <= maxEntryBytes)
            entries.set(idOf(place), { version, chunk: copyOfChunk(chunk) });
        },
        claim: (places) => claim(claimed, places.map(idOf)),
      };
    },
  };
}

function claim(claimed: Map<string, Promise<void>>, ids: readonly string[]): Claim {
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const mine: string[] = [];
  const others = new Set<Promise<void>>();
  const isMine = ids.map((id) => {
    const working = claimed.get(id);
    if (working !== undefined) {
      others.add(working);
      return false;
    }
    claimed.set(id, done);
    mine.push(id);
    return true;
  });
  return {
    isMine,
    others: Promise.all(others),
    release: () => {
      for (const id of mine) claimed.delete(id);
      finish();
    },
  };
}

function chunkBytes({ values }: DecodedChunk): number {
  return 'bytes' in values ? values.bytes.length : heldBytes(values.items);
}

function copyOfChunk({ values, strides }: DecodedChunk): DecodedChunk {
  return { values: 'bytes' in values ? { bytes: values.bytes.slice() } : values, strides };
}

/** Number of chunks to claim before yielding. */
const CLAIMED_AT_ONCE = 1024;

/**
 * Reads the unclaimed chunks first, then those that another read was decoding.
 * @param read decodes chunks; they must be in the cache when it resolves
 */
export async function inSingleFlight(
  cache: ArrayChunks,
  tasks: readonly ReadTask[],
  pause: () => Promise<void> | undefined,
  read: (tasks: readonly ReadTask[]) => Promise<void>,
): Promise<void> {
  const claims: Claim[] = [];
  const mine: ReadTask[] = [];
  const shared: ReadTask[] = [];
  try {
    for (let from = 0; from < tasks.length; from += CLAIMED_AT_ONCE) {
      const some = tasks.slice(from, from + CLAIMED_AT_ONCE);
      const claim = cache.claim(some.map(({ place }) => place));
      claims.push(claim);
      some.forEach((task, i) => (claim.isMine[i] === true ? mine : shared).push(task));
      // A read never waits for another one while it holds claims, so pauses between them cannot deadlock.
      await pause();
    }
    if (mine.length > 0) await read(mine);
  } finally {
    for (const claim of claims) claim.release();
  }
  if (shared.length === 0) return;
  await Promise.all(claims.map(({ others }) => others));
  await read(shared);
}
