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

/** A read's claim on chunks: nobody else decodes those that are its own. */
export interface Claim {
  /** For each chunk: whether it is this read's to decode. */
  readonly isMine: readonly boolean[];
  /** Resolves when the reads that decode the others are done, however that ended. */
  readonly others: Promise<unknown>;
  /** To be called when the claimed chunks are decoded, or have failed. */
  release(): void;
}

/** The chunks of one array. */
export interface ArrayChunks {
  get(place: InnerChunkLocation): CachedChunk | undefined;
  /** Keeps a copy: what is decoded may live in memory that the next chunk takes. */
  keep(place: InnerChunkLocation, version: string, chunk: DecodedChunk): void;
  /** Reads that run side by side share the work: each chunk is decoded by the one that claimed it first. */
  claim(places: readonly InnerChunkLocation[]): Claim;
}

export interface ChunkCache {
  readonly maxBytes: number;
  /** @param array see `ChunkSource.cacheKey` */
  chunksOf(array: string): ArrayChunks;
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
    maxBytes,
    chunksOf: (array) => {
      const idOf = ({ object, entries }: InnerChunkLocation): string =>
        `${array} ${object.join()} ${entries.join()}`;
      return {
        get: (place) => entries.get(idOf(place)),
        keep: (place, version, chunk) => {
          if (bytesOf(chunk) <= maxEntryBytes)
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

function bytesOf({ values }: DecodedChunk): number {
  return 'bytes' in values ? values.bytes.length : heldBytes(values.items);
}

function copyOfChunk({ values, strides }: DecodedChunk): DecodedChunk {
  return { values: 'bytes' in values ? { bytes: values.bytes.slice() } : values, strides };
}
