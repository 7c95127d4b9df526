/** A snapshot of an Icechunk repository as a store of keys. What it contains never changes. */
import { createHash } from 'node:crypto';
import { MetadataError, throwIfAborted, withContext } from '../../core/errors.js';
import { assertObjectSize, assertRequest, assertVersion, atKey, resolveRange } from '../checks.js';
import { defineStore } from '../define-store.js';
import type { WritingMethods } from '../define-writing.js';
import { sortByCodePoint } from '../keys.js';
import type {
  KeyStore,
  Locate,
  Listing,
  LocatedPart,
  ReadOptions,
  ReadRequest,
  ReadResult,
  StoredObject,
} from '../store.js';
import type { ChunkReference } from './manifest.js';
import type { Located } from './protocol.js';
import type { IcechunkRepository } from './repository.js';
import { readVirtual, type VirtualPart, type VirtualPrefix } from '../virtual/virtual-chunks.js';

export interface SnapshotStoreOptions {
  readonly label: string;
  readonly repository: Pick<IcechunkRepository, 'locate' | 'list' | 'walk'>;
  /** Returns the snapshot to read. */
  readonly snapshot: (options?: ReadOptions) => Promise<string> | string;
  /** The objects of the repository that never change, with a cache. */
  readonly objects: KeyStore;
  /** Set for the store of a write session. */
  readonly writing?: WritingMethods | undefined;
  /** Where virtual chunks may be. */
  readonly virtual: readonly VirtualPrefix[];
  readonly close: () => Promise<void>;
}

const READ_ONLY = 'a snapshot of an Icechunk repository never changes';
/** Number of keys whose sizes are asked for together while walking. */
const WALK_KEYS = 200;

/**
 * Chunks are read as parts of the objects of the repository, so that caches, limits, metrics and decoding threads work
 * as for plain stores.
 */
export function createSnapshotStore(options: SnapshotStoreOptions): KeyStore {
  const { label, repository, snapshot, objects, virtual, writing, close } = options;

  async function* walk(prefix: string, walkOptions?: ReadOptions): AsyncGenerator<StoredObject> {
    const id = await snapshot(walkOptions);
    const keys = sortByCodePoint([...(await repository.walk(id, prefix, walkOptions))]);
    for (let start = 0; start < keys.length; start += WALK_KEYS) {
      const part = keys.slice(start, start + WALK_KEYS);
      const places = await repository.locate(id, part, walkOptions);
      for (const [i, key] of part.entries()) yield { key, bytes: sizeOf(places[i]) };
    }
  }

  return defineStore({
    ...{ kind: 'ICECHUNK', label, isLocal: objects.isLocal, maxVersionChecks: 10_000 },
    ...(writing === undefined ? { readOnlyReason: READ_ONLY } : { isDurable: false, writing }),

    async getMany(requests, each, readOptions) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(readOptions?.signal);
      if (requests.length === 0) return;
      const id = await snapshot(readOptions);
      const places = await repository.locate(
        id,
        requests.map(({ key }) => key),
        readOptions,
      );
      const parts: Numbered<PartAnswer>[] = [];
      const virtualParts: Numbered<VirtualAnswer>[] = [];
      for (const [index, request] of requests.entries()) {
        const place = places[index];
        if (place === undefined) throw new MetadataError(`the place of ${request.key} is unknown`);
        const read = atKey(label, request.key, () => answerOf(request, place, readOptions?.maxBytes));
        if (read.kind === 'done') each(index, read.result);
        else if (read.kind === 'part') parts.push({ index, ...read });
        else virtualParts.push({ index, ...read });
      }
      await Promise.all([
        readParts(label, objects, parts, each, readOptions),
        readVirtualParts(label, virtual, virtualParts, each, readOptions),
      ]);
    },

    listing: {
      walk,
      async list(prefix, listOptions) {
        const id = await snapshot(listOptions);
        const names = await repository.list(id, prefix, listOptions);
        return listingOf(prefix, names, (keys) => repository.locate(id, keys, listOptions));
      },
    },

    locate:
      objects.locate === undefined
        ? undefined
        : async (keys, locateOptions) => {
            const id = await snapshot(locateOptions);
            return locateParts(
              objects.locate,
              await repository.locate(id, keys, locateOptions),
              locateOptions,
            );
          },

    close,
  });
}

function sizeOf(place: Located | undefined): number {
  if (place === undefined || place.kind === 'absent') return 0;
  if (place.kind === 'bytes') return place.bytes.length;
  return place.kind === 'virtual' ? place.reference.length : place.length;
}

/** The version of a chunk is its place, which snapshots share until the chunk is written again. */
function versionOf(place: Exclude<Located, { kind: 'absent' }>): string {
  if (place.kind === 'bytes') return createHash('sha256').update(place.bytes).digest('base64url');
  if (place.kind === 'part') return `${place.path}:${place.offset}+${place.length}`;
  // Addresses may be secret.
  return createHash('sha256').update(JSON.stringify(place.reference)).digest('base64url');
}

interface Whole {
  /** Size of the whole chunk, in bytes. */
  readonly total: number;
  readonly version: string;
}

interface PartAnswer extends Whole {
  readonly kind: 'part';
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

interface VirtualAnswer extends Whole {
  readonly kind: 'virtual';
  readonly part: VirtualPart;
}

type Answer = { readonly kind: 'done'; readonly result: ReadResult } | PartAnswer | VirtualAnswer;

/** With the position of the request. */
type Numbered<T> = T & { readonly index: number };

function answerOf(request: ReadRequest, place: Located, maxBytes: number | undefined): Answer {
  const version = place.kind === 'absent' ? undefined : versionOf(place);
  assertVersion(version, request.ifMatch);
  if (place.kind === 'absent' || version === undefined) return { kind: 'done', result: undefined };
  if (request.ifNoneMatch === version) return { kind: 'done', result: 'unchanged' };
  const total = sizeOf(place);
  const { offset, length } = resolveRange(request.range, total);
  assertObjectSize(length, maxBytes);
  if (place.kind === 'virtual')
    return { kind: 'virtual', part: virtualPart(place.reference, offset, length), total, version };
  if (place.kind === 'part')
    return { kind: 'part', path: place.path, offset: place.offset + offset, length, total, version };
  return { kind: 'done', result: { bytes: place.bytes.subarray(offset, offset + length), total, version } };
}

function virtualPart(reference: ChunkReference, offset: number, length: number): VirtualPart {
  return { reference, range: { offset: reference.offset + offset, length } };
}

async function readVirtualParts(
  label: string,
  prefixes: readonly VirtualPrefix[],
  reads: readonly Numbered<VirtualAnswer>[],
  each: (index: number, result: ReadResult) => void,
  options: ReadOptions | undefined,
): Promise<void> {
  if (reads.length === 0) return;
  const receive = (position: number, result: ReadResult): void => {
    const read = reads[position];
    if (read === undefined || typeof result !== 'object')
      throw new MetadataError('the store returned too many results');
    each(read.index, { bytes: result.bytes, total: read.total, version: read.version });
  };
  try {
    const parts = reads.map(({ part }) => part);
    await readVirtual(prefixes, parts, receive, options);
  } catch (error) {
    throw withContext(error, { store: label });
  }
}

async function readParts(
  label: string,
  objects: KeyStore,
  parts: readonly Numbered<PartAnswer>[],
  each: (index: number, result: ReadResult) => void,
  options: ReadOptions | undefined,
): Promise<void> {
  if (parts.length === 0) return;
  try {
    await objects.getMany(
      parts.map(({ path, offset, length }) => ({ key: path, range: { offset, length } })),
      (position, result) => {
        const part = parts[position];
        if (part === undefined) throw new MetadataError('the store returned too many results');
        const { index, length, total, version, path } = part;
        if (result === undefined || result === 'unchanged' || result.bytes.length !== length)
          throw new MetadataError(`the file ${path} of the repository is missing or too short`);
        each(index, { bytes: result.bytes, total, version });
      },
      options,
    );
  } catch (error) {
    throw withContext(error, { store: label });
  }
}

/** Chunks in local files of the repository, for direct reads by decoding threads. */
async function locateParts(
  locate: Locate<string> | undefined,
  places: readonly Located[],
  options: ReadOptions | undefined,
): Promise<Awaited<ReturnType<Locate<string>>>> {
  const paths = places.flatMap((place) => (place.kind === 'part' ? [place.path] : []));
  const located = paths.length === 0 ? undefined : await locate?.(paths, options);
  if (located === undefined) return undefined;
  let next = 0;
  const parts = places.map((place): LocatedPart => {
    if (place.kind === 'absent') return 'absent';
    if (place.kind !== 'part') return undefined;
    const file = located.parts[next++];
    // Only the store can report that a file of the repository is missing.
    if (file === undefined || file === 'absent') return undefined;
    return { ...file, offset: place.offset, length: place.length, version: versionOf(place) };
  });
  return { files: located.files, parts };
}

/** The library lists names without telling folders from chunks. */
async function listingOf(
  prefix: string,
  names: readonly string[],
  exist: (keys: readonly string[]) => Promise<readonly Located[]>,
): Promise<Listing> {
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`);
  const chunks = names.filter((name) => /(?:^|\/)c(?:\/\d+)*$/.test(keyOf(name)));
  const places = await exist(chunks.map(keyOf));
  const stored = new Set(chunks.filter((_, i) => places[i]?.kind !== 'absent'));
  const isKey = (name: string): boolean => name === 'zarr.json' || stored.has(name);
  return {
    keys: sortByCodePoint(names.filter(isKey).map(keyOf)),
    folders: sortByCodePoint(names.filter((name) => !isKey(name))),
  };
}
