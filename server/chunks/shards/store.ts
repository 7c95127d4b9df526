/**
 * Presents a store of objects as a store of inner chunks, through any number of shard levels. Indexes are
 * read once per call. All parts of an object must have the same version; otherwise the call fails with
 * CONFLICT.
 */
import type { ShardSpec } from '../../format/codec/codec.js';
import { CodecError, isZarrError, LimitError } from '../../core/errors.js';
import { createPause } from '../../core/turns.js';
import type { Extent } from '../../store/checks.js';
import type {
  LocatedPart,
  LocatedParts,
  ReadOptions,
  ReadRequest,
  ReadResult,
  Store,
} from '../../store/store.js';
import {
  type InnerReadOptions,
  locateByKnownIndex,
  type LocatedChunks,
  locateInShard,
  type ShardSource,
} from './locate.js';
import { present } from './read-index.js';
import { assertIndexSize } from '../../format/codec/sharding/index-cost.js';
import type { ShardIndexCache } from './index-cache.js';
import { defined } from '../../../wire/guards.js';

/**
 * An inner chunk: the key of the object and one index entry per level. Without entries, it is the whole
 * object.
 */
export interface InnerChunkKey {
  readonly object: string;
  readonly entries: readonly number[];
}

/** A store of inner chunks. */
export interface InnerChunkStore extends Store<InnerChunkKey> {
  getMany(
    requests: readonly ReadRequest<InnerChunkKey>[],
    each: (index: number, result: ReadResult) => void,
    options?: InnerReadOptions,
  ): Promise<void>;
  readonly locate?: (
    keys: readonly InnerChunkKey[],
    options?: InnerReadOptions,
  ) => Promise<LocatedParts | undefined> | LocatedParts | undefined;
}

/** Maximum number of inner chunks of one shard that are requested together. */
const MAX_CHUNKS_AT_ONCE = 1024;

/** A stored inner chunk, by its index in the list of requests. */
interface StoredChunk extends Extent {
  readonly i: number;
}

interface Pending {
  readonly i: number;
  readonly request: ReadRequest<InnerChunkKey>;
}

function describe(key: InnerChunkKey): string {
  return key.entries.length === 0 ? key.object : `inner chunk ${key.entries.join('/')} of ${key.object}`;
}

/**
 * @param specs the levels, from the outside in; empty for an array that is not sharded
 * @param known cached indexes; they are revalidated, or chunks are read on the condition that the shard has
 * the version of its index
 */
export function withShards(
  base: Store,
  specs: readonly ShardSpec[],
  known?: ShardIndexCache,
): InnerChunkStore {
  const source: ShardSource = { base, specs, known };
  return {
    label: base.label,
    can: base.can,
    describe,
    getMany: (requests, each, options) =>
      specs.length === 0
        ? base.getMany(
            requests.map((request) => ({ ...request, key: request.key.object })),
            each,
            options,
          )
        : readFromShards(requests, each, options),
    ...(base.locate === undefined ? {} : { locate }),
  };

  function locate(
    keys: readonly InnerChunkKey[],
    options?: InnerReadOptions,
  ): Promise<LocatedParts | undefined> | LocatedParts | undefined {
    if (specs.length === 0)
      return base.locate?.(
        keys.map(({ object }) => object),
        options,
      );
    return locateParts(
      base,
      keys,
      async (object, entries) => {
        specs.forEach(assertIndexSize);
        return (
          locateByKnownIndex(specs, known?.get(object), entries) ??
          locateInShard(source, object, entries, undefined, options)
        );
      },
      options,
    );
  }

  async function readFromShards(
    ...[requests, each, options]: Parameters<InnerChunkStore['getMany']>
  ): Promise<void> {
    specs.forEach(assertIndexSize);
    const byObject = new Map<string, Pending[]>();
    requests.forEach((request, i) => {
      const list = byObject.get(request.key.object);
      if (list === undefined) byObject.set(request.key.object, [{ i, request }]);
      else list.push({ i, request });
    });
    await createPause()();
    await Promise.all(
      [...byObject].map(([key, pending]) => readPending(source, { key, pending, each, options })),
    );
  }
}

/** Requests for inner chunks of one object. */
interface PendingReads {
  readonly key: string;
  readonly pending: readonly Pending[];
  readonly each: (i: number, result: ReadResult) => void;
  readonly options: InnerReadOptions | undefined;
}

async function readPending(source: ShardSource, reads: PendingReads): Promise<void> {
  const { base, specs } = source;
  const { key, pending, each, options } = reads;
  const version = commonVersion(pending);
  const isRead =
    version === undefined && specs.length === 1 && base.can.keepsVersions !== true
      ? await readByKnownIndex(source, reads)
      : false;
  if (isRead) return;
  const entries = pending.map(({ request }) => request.key.entries);
  const located = await locateInShard(source, key, entries, version, options);
  const pause = createPause();
  if (located === 'absent') options?.onLacking?.(key, undefined);
  if (located === 'unchanged' || located === 'absent') {
    for (const { i } of pending) {
      each(i, located === 'absent' ? undefined : located);
      await pause();
    }
    return;
  }
  const stored: StoredChunk[] = [];
  for (const [p, { i }] of pending.entries()) {
    const extent = located.extents[p];
    if (extent === undefined) each(i, undefined);
    else stored.push({ i, ...extent });
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  if (stored.length < pending.length) options?.onLacking?.(key, located.version);
  for (const { length } of stored) checkLength(length, key, options);
  // Reads in batches of one version, because a shard can have a million inner chunks.
  for (let from = 0; from < stored.length; from += MAX_CHUNKS_AT_ONCE) {
    const batch = stored.slice(from, from + MAX_CHUNKS_AT_ONCE);
    await readChunks(base, key, located.version, batch, each, options);
    await pause();
  }
}

/**
 * Reads chunks by their cached index without revalidating it first, on the condition that the shard still has the
 * version of the index. The store must check this condition. Saves one request per call (figures: bench/records.md,
 * "Reads: attempts").
 * @returns false if nothing was read: the index is not cached or out of date, a chunk is too large or too
 * many are requested, or all chunks are empty
 * @throws ConflictError if the shard is replaced between two chunks; store errors
 */
async function readByKnownIndex(
  { base, specs, known }: ShardSource,
  { key, pending, each, options }: PendingReads,
): Promise<boolean> {
  const entries = pending.map(({ request }) => request.key.entries);
  const found = locateByKnownIndex(specs, known?.get(key), entries);
  if (found === undefined) return false;
  const { extents, version } = found;
  const stored = pending.flatMap(({ i }, p): StoredChunk[] => {
    const extent = extents[p];
    return extent === undefined ? [] : [{ i, ...extent }];
  });
  if (stored.some(({ length }) => length > (options?.maxBytes ?? Infinity))) return false;
  let resultCount = 0;
  const countResult = (i: number, value: ReadResult): void => {
    resultCount++;
    each(i, value);
  };
  try {
    await readChunks(base, key, version, stored, countResult, options);
  } catch (error) {
    if (!isZarrError(error, 'CONFLICT')) throw error;
    known?.delete(key);
    if (resultCount > 0) throw error;
    return false;
  }
  if (stored.length < pending.length) options?.onLacking?.(key, version);
  for (const [p, { i }] of pending.entries()) if (extents[p] === undefined) each(i, undefined);
  return true;
}

/** The common `ifNoneMatch` version of all requests for an object, if there is one. */
function commonVersion(pending: readonly Pending[]): string | undefined {
  const version = pending[0]?.request.ifNoneMatch;
  return pending.every(({ request }) => request.ifNoneMatch === version) ? version : undefined;
}

async function readChunks(
  base: Store,
  key: string,
  version: string | undefined,
  chunks: readonly StoredChunk[],
  each: (i: number, result: ReadResult) => void,
  options: ReadOptions | undefined,
): Promise<void> {
  const same = version === undefined ? {} : { ifMatch: version };
  await base.getMany(
    chunks.map(({ offset, length }) => ({ key, range: { offset, length }, ...same })),
    (c, result) => {
      const chunk = chunks[c];
      if (chunk === undefined) return;
      const value = present(result, key);
      if (value.bytes.length !== chunk.length)
        throw new CodecError(
          `the shard is truncated: got ${value.bytes.length} of the ${chunk.length} bytes of an inner chunk`,
          { where: { key } },
        );
      each(chunk.i, { ...value, offset: chunk.offset, ...(version === undefined ? {} : { version }) });
    },
    options,
  );
}

function checkLength(length: number, key: string, options: ReadOptions | undefined): void {
  if (options?.maxBytes !== undefined && length > options.maxBytes)
    throw new LimitError(
      `an inner chunk has ${length} stored bytes; at most ${options.maxBytes} are allowed`,
      {
        where: { key },
        excess: [{ limit: 'maxDecodedBytes', allowed: options.maxBytes, needed: length }],
      },
    );
}

/**
 * Locates inner chunks as ranges of files, for direct reads.
 * @param find locates chunks of one shard by their index entries
 */
async function locateParts(
  base: Store,
  keys: readonly { readonly object: string; readonly entries: readonly number[] }[],
  find: (
    object: string,
    entries: readonly (readonly number[])[],
  ) => Promise<LocatedChunks | 'unchanged' | 'absent'>,
  options?: InnerReadOptions,
): Promise<LocatedParts | undefined> {
  const byObject = new Map<string, number[]>();
  keys.forEach(({ object }, i) => {
    const list = byObject.get(object);
    if (list === undefined) byObject.set(object, [i]);
    else list.push(i);
  });
  const objects = [...byObject.keys()];
  const located = await base.locate?.(objects, options);
  if (located === undefined) return undefined;
  const parts = new Array<LocatedPart>(keys.length).fill(undefined);
  const pause = createPause();
  await Promise.all(
    objects.map(async (object, o) => {
      const shard = located.parts[o];
      const list = byObject.get(object) ?? [];
      if (shard === undefined) return;
      const found = await find(
        object,
        list.map((i) => keys[i]?.entries ?? []),
      );
      if (found === 'absent') options?.onLacking?.(object, undefined);
      else if (found !== 'unchanged' && found.extents.includes(undefined))
        options?.onLacking?.(object, found.version);
      for (let at = 0; at < list.length; at++) {
        parts[defined(list[at])] = partOf(shard, found, at);
        const pausing = pause();
        if (pausing !== undefined) await pausing;
      }
    }),
  );
  return { files: located.files, parts };
}

function partOf(shard: LocatedPart, found: LocatedChunks | 'unchanged' | 'absent', at: number): LocatedPart {
  if (found === 'absent') return 'absent';
  if (found === 'unchanged' || found.version === undefined || shard === undefined || shard === 'absent')
    return undefined;
  const extent = found.extents[at];
  if (extent === undefined) return 'absent';
  // The index belongs to another version of the object.
  if (shard.version !== undefined && shard.version !== found.version) return undefined;
  const { tag = '' } = shard;
  if (!found.version.startsWith(tag)) return undefined;
  return {
    ...shard,
    offset: shard.offset + extent.offset,
    length: extent.length,
    fileVersion: shard.fileVersion ?? found.version.slice(tag.length),
    version: found.version,
    // The checksum of the whole shard does not apply to a part of it.
    crc: undefined,
  };
}
