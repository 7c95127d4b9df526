/**
 * Divides the memory of the process among caches, documents in work, threads and requests (docs/operations.md has the
 * formula). Given values are kept; the others are derived from the memory.
 */
import { leastRequestBytes, type RequestBounds } from './sizes.js';

const MIB = 2 ** 20;

/** Values that are derived from the memory, unless they are given. */
export interface DerivedValues {
  readonly chunkCacheBytes: number;
  readonly resultCacheBytes: number;
  readonly schemaCacheBytes: number;
  readonly metadataCacheBytes: number;
  readonly maxConsolidatedBytes: number;
  /** Cache of each remote store that sets none. */
  readonly remoteCacheBytes: number;
  /** Memory of each running job. */
  readonly jobMemoryBytes: number;
  readonly decodingThreads: number;
  readonly maxOutputBytes: number;
  readonly requestMemoryBytes: number;
}

/** Caches without an option. */
export interface SmallCaches {
  /** Decoded indexes of shards. */
  readonly shardIndexBytes: number;
  /** Labels of coordinates, and parsed documents: each. */
  readonly labelBytes: number;
}

export interface ProcessMemoryOptions extends Omit<RequestBounds, 'maxOutputBytes'> {
  readonly memoryBytes: number;
  /** Whether an option or a control group limits the memory; otherwise it is the whole machine's, which others use too. */
  readonly isLimited: boolean;
  readonly processors: number;
  readonly automaticDocumentBytes: number;
  readonly given: { readonly [K in keyof DerivedValues]?: DerivedValues[K] | undefined };
  /** Remote stores, or folders of them, without an explicit cache size. */
  readonly remoteStores: number;
  /** Icechunk repositories and references, each with separate caches. */
  readonly repositories: number;
  /** Jobs that may run at the same time. */
  readonly runningJobs: number;
  /** Explicit cache sizes of all stores. */
  readonly storeCacheBytes: number;
}

export interface ProcessMemoryPlan {
  readonly values: DerivedValues;
  readonly small: SmallCaches;
  /** Memory of the runtime and its threads, of all caches and jobs, and of long documents that are read. */
  readonly runtimeBytes: number;
  readonly cacheBytes: number;
  readonly documentBytes: number;
  /** Memory that is left for requests and their garbage. */
  readonly restBytes: number;
  /** The least that `requestMemoryBytes` may be. */
  readonly leastRequestBytes: number;
}

/** Memory of the program and its main thread (measured: 110 to 120 MiB after the start). */
const PROGRAM_BYTES = 120 * MIB;
/** Memory of a decoding thread with its buffers. */
const THREAD_BYTES = 20 * MIB;
/** Share of the memory for threads, which limits their number. */
const THREADS_SHARE = 1 / 8;
/**
 * Usable share of what is left for requests: garbage is collected late, and the C library does not return all memory to
 * the system.
 */
const USABLE_SHARE = 0.65;
/** Memory of schemas, their models, documents, results of introspection and SDL, as a multiple of `schemaCacheBytes`. */
const SCHEMA_CACHES = 1.75;
/** Share of the memory of requests that one may need, so that others run beside it. */
const REQUEST_SHARE = 0.65;
/** Long documents that are read at a time, and the memory of one as a multiple of its size. */
const LONG_DOCUMENTS = 2;
const LONG_DOCUMENT_FACTOR = 3;
/**
 * Caches of an Icechunk repository: places of chunks, and manifests with virtual references. Of references: rows of parquet
 * files. References in JSON take the size of their file in addition, which is not known at startup.
 */
const REPOSITORY_BYTES = 48 * MIB;
/** Caches of remote stores together take at most this share. */
const REMOTE_SHARE = 1 / 8;
/** Running jobs together take at most this share. */
const JOBS_SHARE = 1 / 4;

/** Bounds of the derived values. The caches of values grow with the memory only where it is limited, and so reserved. */
const most = {
  chunkCacheBytes: 256 * MIB,
  resultCacheBytes: 64 * MIB,
  schemaCacheBytes: 64 * MIB,
  metadataCacheBytes: 320 * MIB,
  maxConsolidatedBytes: 256 * MIB,
  remoteCacheBytes: 64 * MIB,
  jobMemoryBytes: 192 * MIB,
  shardIndexBytes: 64 * MIB,
  labelBytes: 32 * MIB,
  maxOutputBytes: 64 * MIB,
};
const LEAST_OUTPUT_BYTES = 4 * MIB;

export function planProcess(options: ProcessMemoryOptions): ProcessMemoryPlan {
  const { memoryBytes, isLimited, processors, given, remoteStores, repositories } = options;
  const decodingThreads =
    given.decodingThreads ??
    Math.max(1, Math.min(processors, Math.floor((memoryBytes * THREADS_SHARE) / THREAD_BYTES)));
  const runtimeBytes = PROGRAM_BYTES + decodingThreads * THREAD_BYTES;
  const beyond = Math.max(0, memoryBytes - runtimeBytes);
  const part = (share: number, name: keyof typeof most, least = MIB): number =>
    wholeMib(Math.max(least, Math.min(beyond * share, most[name])));
  const growing = (share: number, name: 'chunkCacheBytes' | 'resultCacheBytes'): number =>
    isLimited ? wholeMib(beyond * share) : part(share, name);
  const small = { shardIndexBytes: part(1 / 64, 'shardIndexBytes'), labelBytes: part(1 / 64, 'labelBytes') };
  const caches = {
    chunkCacheBytes: given.chunkCacheBytes ?? growing(1 / 8, 'chunkCacheBytes'),
    resultCacheBytes: given.resultCacheBytes ?? growing(1 / 32, 'resultCacheBytes'),
    schemaCacheBytes: given.schemaCacheBytes ?? part(1 / 32, 'schemaCacheBytes'),
    metadataCacheBytes: given.metadataCacheBytes ?? part(1 / 16, 'metadataCacheBytes'),
    remoteCacheBytes:
      given.remoteCacheBytes ?? part(REMOTE_SHARE / Math.max(1, remoteStores), 'remoteCacheBytes'),
  };
  const jobMemoryBytes =
    given.jobMemoryBytes ?? part(JOBS_SHARE / Math.max(1, options.runningJobs), 'jobMemoryBytes');
  const maxConsolidatedBytes = given.maxConsolidatedBytes ?? part(1 / 64, 'maxConsolidatedBytes');
  const cacheBytes =
    caches.chunkCacheBytes +
    caches.resultCacheBytes +
    caches.schemaCacheBytes * SCHEMA_CACHES +
    caches.metadataCacheBytes +
    caches.remoteCacheBytes * remoteStores +
    jobMemoryBytes * options.runningJobs +
    options.storeCacheBytes +
    options.automaticDocumentBytes +
    repositories * REPOSITORY_BYTES +
    small.shardIndexBytes +
    2 * small.labelBytes;
  // Without a limit, other programs leave or take memory, and such documents are rare.
  const documentBytes = isLimited ? LONG_DOCUMENTS * LONG_DOCUMENT_FACTOR * maxConsolidatedBytes : 0;
  const restBytes = memoryBytes - runtimeBytes - cacheBytes - documentBytes;
  const requestBytes = given.requestMemoryBytes ?? wholeMib(restBytes * USABLE_SHARE);
  const maxOutputBytes = given.maxOutputBytes ?? outputWithin(requestBytes, options);
  const least = leastRequestBytes({ ...options, maxOutputBytes });
  return {
    values: {
      ...caches,
      jobMemoryBytes,
      maxConsolidatedBytes,
      decodingThreads,
      maxOutputBytes,
      // Even a small machine can serve requests.
      requestMemoryBytes: given.requestMemoryBytes ?? Math.max(least, requestBytes),
    },
    small,
    runtimeBytes,
    cacheBytes,
    documentBytes,
    restBytes,
    leastRequestBytes: least,
  };
}

/** The least memory with which the plan has enough for requests. */
export function leastMemoryBytes(options: ProcessMemoryOptions): number {
  let [low, high] = [0, 2 ** 50];
  while (high - low > MIB) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(planProcess({ ...options, memoryBytes: middle }))) high = middle;
    else low = middle;
  }
  return Math.ceil(high / MIB) * MIB;
}

/** Whether requests have enough memory besides everything else. */
export function isEnough({ values, restBytes, leastRequestBytes: least }: ProcessMemoryPlan): boolean {
  return values.requestMemoryBytes <= restBytes && least <= values.requestMemoryBytes;
}

/** Size of the space for new objects of a thread, in bytes. V8's own choice is up to 32 MiB, three times. */
export function youngGenerationBytes(memoryBytes: number): number {
  return Math.min(16, Math.max(2, Math.floor(memoryBytes / MIB / 128))) * MIB;
}

function outputWithin(requestBytes: number, options: Omit<RequestBounds, 'maxOutputBytes'>): number {
  const others = leastRequestBytes({ ...options, maxOutputBytes: 0 });
  return wholeMib(
    Math.min(
      most.maxOutputBytes,
      Math.max(LEAST_OUTPUT_BYTES, Math.floor((requestBytes * REQUEST_SHARE - others) / 2)),
    ),
  );
}

function wholeMib(bytes: number): number {
  return Math.max(1, Math.floor(bytes / MIB)) * MIB;
}
