/**
 * Cache of decoded chunks for later reads: a slice of 1 MB may decode 30 MB, and dashboards request
 * neighbours. Its size in bytes is limited; the least recently used chunk is evicted first. An entry is used
 * only if its object still has the decoded version. Every read requests the version from the store.
 */
import { LRUCache } from 'lru-cache';
import { type BufferPool, createBufferPool } from '../../core/bytes/buffer-pool.js';
import type { InnerChunkLocation } from '../../format/plan/layout.js';
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { heldBytes } from '../../core/dtype/item-values.js';
import type { ReadTask } from '../../format/plan/plan.js';

export interface CachedChunk {
  readonly version: string;
  readonly chunk: DecodedChunk;
  /** Call this once, when nothing refers to the memory of the chunk: it may then be reused. */
  release(): void;
}

/** Memory of the cache into which a chunk is decoded. It counts towards the size of the cache, so that others make room. */
export interface ChunkLoan {
  readonly memory: Uint8Array;
  /**
   * Call this when nothing is decoded into the memory any longer, before the chunk is kept. Later calls do nothing.
   * @param unused the memory, if nothing else will use it
   */
  end(unused?: Uint8Array): void;
}

/** Chunks claimed by a read. No other read decodes them. */
interface Claim {
  /** For each chunk, whether this read must decode it. */
  readonly isMine: readonly boolean[];
  /** Resolves when the reads that decode the other chunks have ended, successfully or not. */
  readonly others: Promise<unknown>;
  /** Call this when the claimed chunks are decoded or have failed. */
  release(): void;
}

/** The chunks of one array. */
export interface ArrayChunks {
  /** The caller may use the chunk until it calls `release`; without that call, its memory is never reused. */
  get(location: InnerChunkLocation): CachedChunk | undefined;
  has(location: InnerChunkLocation): boolean;
  /** Memory for a chunk to be decoded into, which `keep` then need not copy; undefined if the chunk will not be cached. */
  lend(bytes: number): ChunkLoan | undefined;
  /**
   * Copies fixed-size values, because the memory of a decoded chunk may be reused for the next chunk. Yields after every
   * megabyte. Takes the memory instead if it is the caller's, and exactly as large as the values.
   * @returns whether it has taken the memory, which the caller must not change afterwards
   */
  keep(
    location: InnerChunkLocation,
    version: string,
    chunk: DecodedChunk,
    isCallers: boolean,
  ): Generator<void, boolean, void>;
  /**
   * Claims chunks, so that concurrent reads share the decoding: the first read that claims a chunk decodes
   * it.
   */
  claim(tasks: readonly ReadTask[]): Claim;
}

/** Passes a decoded chunk to the cache; see `ArrayChunks`. */
export interface KeepChunk {
  lend(bytes: number): ChunkLoan | undefined;
  keep(chunk: DecodedChunk, isCallers: boolean): Generator<void, boolean, void>;
}

export function keepIn(cache: ArrayChunks, location: InnerChunkLocation, version: string): KeepChunk {
  return {
    lend: (bytes) => cache.lend(bytes),
    keep: (chunk, isCallers) => cache.keep(location, version, chunk, isCallers),
  };
}

export type ChunkCache = ReturnType<typeof createChunkCache>;

/** Number of bytes copied between two yields. */
const PIECE_BYTES = 2 ** 20;

/** A chunk larger than 1/MAX_SHARE of the cache is not cached, because it would evict too many others. */
const MAX_SHARE = 8;
/**
 * Memory of evicted chunks, in bytes, that is kept for later chunks, in addition to the size of the cache.
 * Without reuse, garbage collection and page faults take a third of the main thread's time while chunks are
 * evicted.
 */
const MAX_FREE_BYTES = 16 * 2 ** 20;

/** @param maxBytes maximum size of the decoded values in bytes */
export function createChunkCache(maxBytes: number) {
  const maxEntryBytes = Math.floor(maxBytes / MAX_SHARE);
  const free = createBufferPool({ maxKeptBytes: MAX_FREE_BYTES, isExact: true });
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => chunkBytes(entry.chunk) + 512,
    dispose: (entry) => entry.evict(),
  });
  const claimed = new Map<string, Promise<void>>();
  let lentBytes = 0;
  /** Evicts chunks before memory is taken, which is then that of evicted chunks. */
  const makeRoom = (bytes: number): void => {
    while (entries.size > 0 && entries.calculatedSize + lentBytes + bytes > maxBytes) entries.pop();
  };
  const lend = (bytes: number): ChunkLoan => {
    makeRoom(bytes);
    lentBytes += bytes;
    let isOver = false;
    return {
      memory: free.acquire(bytes),
      end(unused) {
        if (isOver) return;
        isOver = true;
        lentBytes -= bytes;
        if (unused !== undefined) free.release(unused);
      },
    };
  };
  return {
    maxBytes,
    /** Maximum size of a cached chunk in bytes. */
    maxEntryBytes,
    /** @param array see `ChunkSource.cacheKey` */
    chunksOf: (array: string): ArrayChunks => {
      const idOf = ({ object, entries }: InnerChunkLocation): string =>
        `${array} ${object.join()} ${entries.join()}`;
      return {
        get: (location) => entries.get(idOf(location))?.lend(),
        has: (location) => entries.has(idOf(location)),
        lend: (bytes) => (bytes <= maxEntryBytes ? lend(bytes) : undefined),
        *keep(location, version, chunk, isCallers) {
          if (chunkBytes(chunk) > maxEntryBytes) return false;
          const isTaken = isCallers && fillsMemory(chunk);
          if (!isTaken) makeRoom(chunkBytes(chunk));
          const kept = isTaken ? chunk : yield* copyOfChunk(chunk, free);
          entries.set(idOf(location), new Entry(version, kept, free));
          return isTaken;
        },
        claim(tasks) {
          let finish: () => void = () => undefined;
          const done = new Promise<void>((resolve) => (finish = resolve));
          const mine: string[] = [];
          const others = new Set<Promise<void>>();
          const isMine: boolean[] = [];
          for (const { location } of tasks) {
            const id = idOf(location);
            const working = claimed.get(id);
            isMine.push(working === undefined);
            if (working === undefined) {
              claimed.set(id, done);
              mine.push(id);
            } else others.add(working);
          }
          return {
            isMine,
            others: Promise.all(others),
            release: () => {
              for (const id of mine) claimed.delete(id);
              finish();
            },
          };
        },
      };
    },
  };
}

class Entry implements CachedChunk {
  readonly #free: BufferPool;
  /** Number of callers that may still use the memory. */
  #uses = 0;
  #isEvicted = false;

  constructor(
    readonly version: string,
    readonly chunk: DecodedChunk,
    free: BufferPool,
  ) {
    this.#free = free;
  }

  lend(): CachedChunk {
    this.#uses++;
    return this;
  }

  release(): void {
    this.#uses--;
    this.#freeIfUnused();
  }

  evict(): void {
    this.#isEvicted = true;
    this.#freeIfUnused();
  }

  #freeIfUnused(): void {
    const { values } = this.chunk;
    if (this.#isEvicted && this.#uses === 0 && 'bytes' in values) this.#free.release(values.bytes);
  }
}

function chunkBytes({ values }: DecodedChunk): number {
  return 'bytes' in values ? values.bytes.length : heldBytes(values.items);
}

/** Whether the chunk can be cached without holding more memory than it is charged for. */
function fillsMemory({ values }: DecodedChunk): boolean {
  return 'bytes' in values && values.bytes.byteLength === values.bytes.buffer.byteLength;
}

function* copyOfChunk(
  { values, strides }: DecodedChunk,
  free: BufferPool,
): Generator<void, DecodedChunk, void> {
  if (!('bytes' in values)) return { values, strides };
  const { length } = values.bytes;
  const bytes = free.acquire(length);
  for (let at = 0; at < length; at += PIECE_BYTES) {
    if (at > 0) yield;
    bytes.set(values.bytes.subarray(at, at + PIECE_BYTES), at);
  }
  return { values: { bytes }, strides };
}

/** Number of chunks to claim before yielding. */
const CLAIMED_AT_ONCE = 1024;

/**
 * Reads the chunks that no other read has claimed. Then reads the others, together with all chunks of the
 * same shards.
 * @param read decodes chunks, and stores them in the cache before it resolves
 */
export async function inSingleFlight(
  cache: ArrayChunks,
  tasks: readonly ReadTask[],
  pause: () => Promise<void> | undefined,
  read: (tasks: readonly ReadTask[]) => Promise<void>,
): Promise<void> {
  const claims: Claim[] = [];
  const claimed: ReadTask[] = [];
  const shared: ReadTask[] = [];
  const sharedObjects = new Set<string>();
  try {
    for (let from = 0; from < tasks.length; from += CLAIMED_AT_ONCE) {
      const some = tasks.slice(from, from + CLAIMED_AT_ONCE);
      const claim = cache.claim(some);
      claims.push(claim);
      for (const [i, task] of some.entries()) {
        if (claim.isMine[i] === true) claimed.push(task);
        else {
          shared.push(task);
          sharedObjects.add(objectOf(task));
        }
      }
      // A read with unreleased claims never waits for another read, so a pause between claims cannot deadlock.
      await pause();
    }
    // All chunks of a shard are read together, because it may be replaced between two reads.
    const mine: ReadTask[] = [];
    for (const [i, task] of claimed.entries()) {
      const isShared = sharedObjects.size > 0 && sharedObjects.has(objectOf(task));
      (isShared ? shared : mine).push(task);
      if (i % CLAIMED_AT_ONCE === 0) await pause();
    }
    if (mine.length > 0) await read(mine);
  } finally {
    for (const claim of claims) claim.release();
  }
  if (shared.length === 0) return;
  await Promise.all(claims.map(({ others }) => others));
  await read(shared);
}

function objectOf({ location }: ReadTask): string {
  return location.object.join();
}
