/** An Icechunk repository in a store: its branches, tags and snapshots, and where the objects of a snapshot are. */
import { LRUCache } from 'lru-cache';
import {
  LimitError,
  MetadataError,
  NotFoundError,
  ReadOnlyError,
  UnsupportedError,
  withContext,
} from '../../core/errors.js';
import { createPause } from '../../core/turns.js';
import { withinDeadline } from '../deadline.js';
import { untilAborted } from '../retries.js';
import { get } from '../define-reading.js';
import { isKey } from '../keys.js';
import type {
  HistoryQuery,
  KeyStore,
  ReadOptions,
  ReadResult,
  SnapshotDiff,
  SnapshotInfo,
  VersionRef,
} from '../store.js';
import { isMissingRepository } from './address.js';
import { Heads } from './heads.js';
import { LibraryThread, type LibraryThreadOptions } from './library-thread.js';
import {
  type Answer,
  type Question,
  type Located,
  MAX_FILE_BYTES,
  type StorageCall,
  type StorageReply,
  type Wanted,
} from './protocol.js';
import { VirtualReferences } from './virtual-references.js';

export interface RepositoryOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** The objects of the repository, without a cache: branches change. */
  readonly objects: KeyStore;
  /** Time for which the snapshot of a branch or tag is used without asking again, in ms. */
  readonly maxAgeMs: number;
  readonly deadlineMs: number;
}

/** Maximum memory of the library, in bytes. */
const MAX_LIBRARY_BYTES = 2 ** 30;
/** Memory for the places of chunks, in bytes. */
const PLACES_BYTES = 16 * 2 ** 20;
/** Estimated size of an entry without its key and bytes. */
const ENTRY_BYTES = 120;
/** Minimum time between two openings because of absent branches, in ms. */
const REOPEN_MS = 10_000;
/** Share of the deadline in which a history must be found. */
const HISTORY_SHARE = 0.8;
/** Maximum number of chunks that one message asks for. */
const MAX_KEYS = 500;
/** Maximum number of listed objects. */
const MAX_LISTED = 1_000_000;

/** The keys that a repository can contain: documents of Zarr version 3, and chunks. */
const storedKey = /(?:^|\/)(?:zarr\.json|c(?:\/\d+)*)$/;
/** Chunks under other keys than those of Zarr version 3 with slashes, which the library cannot find. */
const foreignChunk = /(?:^|\/)(?:c[./])?\d+(?:[./]\d+)*$/;
const absent: Located = { kind: 'absent' };

export class IcechunkRepository {
  readonly #options: RepositoryOptions;
  readonly #thread: LibraryThread;
  /** For histories and differences, which may take so long that their thread is ended: reads must not wait for them. */
  readonly #historian: LibraryThread;
  /** For another thread of the same repository. */
  readonly threadOptions: LibraryThreadOptions;
  /** From this time on, an absent branch may open the repository again. */
  #reopenAtMs = 0;
  readonly #places: LRUCache<string, Located>;
  readonly #heads: Heads;
  readonly #references: VirtualReferences;

  constructor(options: RepositoryOptions) {
    this.#options = options;
    const thread: LibraryThreadOptions = {
      storage: (call) => this.#store(call),
      open: { name: 'open' },
      deadlineMs: options.deadlineMs,
      maxBytes: MAX_LIBRARY_BYTES,
    };
    this.threadOptions = { ...thread, storage: (call) => this.#answer(call) };
    this.#thread = new LibraryThread(thread);
    this.#historian = new LibraryThread(thread);
    const { objects, maxAgeMs } = options;
    this.#references = new VirtualReferences({
      objects,
      manifestsOf: (snapshot) => this.#names({ name: 'manifests', snapshot }, undefined),
    });
    this.#heads = new Heads({ objects, maxAgeMs, ask: (ref) => this.#resolve(ref) });
    this.#places = new LRUCache({
      maxSize: PLACES_BYTES,
      sizeCalculation: (place, key) => ENTRY_BYTES + 2 * key.length + contentsBytes(place),
    });
  }

  /** See `Heads.resolve`. */
  resolve(ref: VersionRef, options?: Pick<ReadOptions, 'signal' | 'fresh'>): Promise<string> {
    return this.#heads.resolve(ref, options);
  }

  /** Shows a commit of this process to its readers at once. */
  moveBranch(branch: string, snapshot: string): void {
    this.#heads.move(branch, snapshot);
  }

  /** See `Heads.outdate`. */
  outdate(): void {
    this.#heads.outdate();
  }

  /** The next question opens the repository again. */
  restart(): void {
    this.#thread.restart();
    this.#historian.restart();
  }

  async #resolve(ref: VersionRef): Promise<string> {
    try {
      return await this.#lookUp(ref);
    } catch (error) {
      if (!(error instanceof NotFoundError) || isMissingRepository(error)) throw error;
      const [kind, name] = Object.entries(ref)[0] ?? [];
      throw new NotFoundError(`the repository has no ${kind} ${JSON.stringify(name)}`, {
        where: { store: this.#options.label },
      });
    }
  }

  /**
   * The library remembers the version of the repository's format, and finds nothing after an upgrade, or in another
   * repository at the same address. Then the repository is opened again, from time to time.
   */
  async #lookUp(ref: VersionRef): Promise<string> {
    const ask = async (): Promise<string> => {
      const answer = await this.#call({ name: 'resolve', ref }, undefined);
      return answer.name === 'resolve' ? answer.snapshot : unexpected();
    };
    try {
      return await ask();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof NotFoundError) || now < this.#reopenAtMs) throw error;
      this.#reopenAtMs = now + REOPEN_MS;
      this.restart();
      return ask();
    }
  }

  branches(options?: ReadOptions): Promise<readonly string[]> {
    return this.#names({ name: 'branches' }, options);
  }

  tags(options?: ReadOptions): Promise<readonly string[]> {
    return this.#names({ name: 'tags' }, options);
  }

  /**
   * A snapshot and its ancestors, newest first.
   * @throws InputError if `after` is none of them; LimitError if finding them takes too long
   */
  async history(query: HistoryQuery, options?: ReadOptions): Promise<readonly SnapshotInfo[]> {
    const maxMs = HISTORY_SHARE * this.#options.deadlineMs;
    const answer = await this.#call({ name: 'history', query, maxMs }, options?.signal, this.#historian);
    return answer.name === 'history' ? answer.snapshots : unexpected();
  }

  async diff(from: string, to: string, options?: ReadOptions): Promise<SnapshotDiff> {
    const answer = await this.#call({ name: 'diff', from, to }, options?.signal, this.#historian);
    return answer.name === 'diff' ? answer.diff : unexpected();
  }

  /** Where the keys are in a snapshot, in their order. */
  async locate(
    snapshot: string,
    keys: readonly string[],
    options?: ReadOptions,
  ): Promise<readonly Located[]> {
    const found = keys.map(
      (key) => placeByName(key, this.#options.label) ?? this.#places.get(`${snapshot} ${key}`),
    );
    const missing = keys.filter((_, i) => found[i] === undefined);
    const ask = (call: Question): Promise<Answer> => this.#call(call, options?.signal);
    const places = await askPlaces(ask, snapshot, missing, (wanted) => this.refer(snapshot, wanted, options));
    for (const [key, place] of places) this.#places.set(`${snapshot} ${key}`, place);
    return keys.map((key, i) => {
      const place = found[i] ?? places.get(key);
      if (place === undefined) throw new MetadataError(`the place of ${key} is unknown`);
      return place;
    });
  }

  /** The place of a chunk that the library did not find in a snapshot. */
  async refer(snapshot: string, wanted: Wanted, options: ReadOptions | undefined): Promise<Located> {
    const search = withinDeadline(this.#options, ({ signal }) =>
      this.#references.find(snapshot, wanted, signal),
    );
    const reference = await untilAborted(options?.signal, search);
    if (reference === undefined) throw new MetadataError('no manifest of the repository refers to the chunk');
    return { kind: 'virtual', reference };
  }

  /** The names directly below a prefix, of keys and folders, in any order. */
  list(snapshot: string, prefix: string, options?: ReadOptions): Promise<readonly string[]> {
    return this.#names({ name: 'list', snapshot, prefix }, options);
  }

  /** All keys below a prefix, in any order. */
  walk(snapshot: string, prefix: string, options?: ReadOptions): Promise<readonly string[]> {
    return this.#names({ name: 'walk', snapshot, prefix }, options);
  }

  async close(): Promise<void> {
    await Promise.all([this.#thread.close(), this.#historian.close()]);
  }

  async #call(call: Question, signal: AbortSignal | undefined, thread = this.#thread): Promise<Answer> {
    try {
      return await thread.call(call, signal);
    } catch (error) {
      throw withContext(error, { store: this.#options.label });
    }
  }

  async #names(call: Question, options: ReadOptions | undefined): Promise<readonly string[]> {
    const answer = await this.#call(call, options?.signal);
    return answer.name === 'names' ? answer.names : unexpected();
  }

  /** Answers the library that reads. */
  async #store(call: StorageCall): Promise<StorageReply> {
    const reply = await this.#answer(call);
    if (call.name === 'list') this.#heads.noteList();
    if (call.name !== 'read' && call.name !== 'readIfChanged') return reply;
    const version =
      reply.kind === 'absent'
        ? null
        : reply.kind === 'object'
          ? reply.version
          : call.name === 'readIfChanged'
            ? call.version
            : undefined;
    this.#heads.noteRead(call.path, version);
    return reply;
  }

  async #answer(call: StorageCall): Promise<StorageReply> {
    if (call.name === 'list') return this.#list(call.prefix);
    if (call.name === 'put' || call.name === 'copy') throw new ReadOnlyError('the repository is read-only');
    return this.#read(call);
  }

  /** Everything that the library asks for comes from files that others wrote. */
  async #read(call: Extract<StorageCall, { name: 'read' | 'readIfChanged' }>): Promise<StorageReply> {
    const { objects } = this.#options;
    if (!isKey(call.path)) throw new MetadataError('a file of the repository names an invalid path');
    const options = { maxBytes: MAX_FILE_BYTES, fresh: true };
    if (call.name === 'read') {
      const { path, start, end } = call;
      const hasRange = start !== undefined && end !== undefined;
      if (hasRange && !(end >= start && end - start <= MAX_FILE_BYTES))
        throw new MetadataError('a file of the repository names an invalid range');
      const value = hasRange
        ? await getPart(objects, path, start, end, options)
        : await get(objects, path, options);
      if (value === undefined) return { kind: 'absent' };
      return objectOf(bytesToPass(path, value.bytes), value.version);
    }
    let received: ReadResult;
    const request = { key: call.path, ...(call.version === undefined ? {} : { ifNoneMatch: call.version }) };
    await objects.getMany([request], (_, result) => void (received = result), options);
    if (received === undefined) return { kind: 'absent' };
    if (received === 'unchanged') return { kind: 'unchanged' };
    return objectOf(bytesToPass(call.path, received.bytes), received.version);
  }

  async #list(prefix: string): Promise<StorageReply> {
    const folder = prefix.replace(/\/$/, '');
    const listed: { key: string; bytes: number }[] = [];
    for await (const { key, bytes } of this.#options.objects.walk(folder)) {
      if (listed.length >= MAX_LISTED)
        throw new LimitError(`the repository has more than ${MAX_LISTED} files below ${prefix}`, {
          excess: [{ limit: 'files', allowed: MAX_LISTED, needed: MAX_LISTED + 1 }],
        });
      listed.push({ key: folder === '' ? key : key.slice(folder.length + 1), bytes });
    }
    return { kind: 'listed', objects: listed };
  }
}

/** Whether a repository can contain the key. */
export function isStoredKey(key: string): boolean {
  return storedKey.test(key);
}

/**
 * The place of a key that no repository contains; undefined if the library must look for it.
 * @throws UnsupportedError for chunks that may exist, and must not be read as fill values
 */
export function placeByName(key: string, store: string): Located | undefined {
  if (storedKey.test(key)) return undefined;
  if (!foreignChunk.test(key)) return absent;
  throw new UnsupportedError(
    'Icechunk finds chunks under keys such as c/0/1 only; the metadata of this array states other chunk keys',
    { where: { store, key } },
  );
}

/**
 * Where keys are in a snapshot or a write session.
 * @param refer finds a chunk that is in another file
 */
export async function askPlaces(
  ask: (call: Question) => Promise<Answer>,
  snapshot: string,
  keys: readonly string[],
  refer: (wanted: Wanted) => Promise<Located>,
): Promise<ReadonlyMap<string, Located>> {
  const places = new Map<string, Located>();
  const pause = createPause();
  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    const asked = keys.slice(start, start + MAX_KEYS);
    const answer = await ask({ name: 'locate', snapshot, keys: asked });
    const answers = answer.name === 'locate' ? answer.places : unexpected();
    for (const [i, key] of asked.entries()) {
      const pausing = pause();
      if (pausing !== undefined) await pausing;
      const found = answers[i];
      if (found === undefined) throw new MetadataError('the Icechunk library returned too few answers');
      const place = found.kind === 'elsewhere' ? await refer(found.wanted) : found;
      assertPlace(place);
      places.set(key, place);
    }
  }
  return places;
}

/** The configuration of a repository of version 1. */
const CONFIGURATION = 'config.yaml';
const MAX_CONFIGURATION_BYTES = 2 ** 20;

/**
 * The bytes of a file for the library: of the configuration without the places of virtual chunks, because the
 * WebAssembly build rejects the whole file if one is a folder or a bucket of a kind it does not know. These chunks are
 * found in the manifests. Writers use block style; loading a parser would take 8 ms.
 */
function bytesToPass(path: string, bytes: Uint8Array): Uint8Array {
  if (path !== CONFIGURATION || bytes.length > MAX_CONFIGURATION_BYTES) return bytes;
  let isContainers = false;
  const kept = Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => {
      // A key of the document, to which the indented lines and list items after it belong.
      if (/^[^\s#-]/.test(line)) isContainers = /^["']?virtual_chunk_containers["']?\s*:/.test(line);
      return !isContainers;
    });
  return Buffer.from(kept.join('\n'));
}

function unexpected(): never {
  throw new MetadataError('the Icechunk library returned an unexpected answer');
}

/** @throws MetadataError for places outside of objects */
function assertPlace(place: Located): void {
  const part = place.kind === 'virtual' ? place.reference : place;
  if (!('offset' in part)) return;
  const { offset, length } = part;
  const isValid = [offset, length, offset + length].every(
    (value) => Number.isSafeInteger(value) && value >= 0,
  );
  if (!isValid || (place.kind === 'part' && !isKey(place.path)))
    throw new MetadataError('a manifest of the repository names an invalid part of a file');
}

function contentsBytes(place: Located): number {
  if (place.kind === 'bytes') return place.bytes.length;
  return place.kind === 'virtual'
    ? 2 * (place.reference.url.length + (place.reference.etag?.length ?? 0))
    : 0;
}

/** A copy in a buffer of the same size, because the library receives whole buffers. */
function objectOf(bytes: Uint8Array, version: string | undefined): StorageReply {
  return { kind: 'object', bytes: new Uint8Array(bytes), version };
}

async function getPart(
  store: KeyStore,
  key: string,
  start: number,
  end: number,
  options: ReadOptions,
): Promise<{ readonly bytes: Uint8Array; readonly version?: string } | undefined> {
  let part: { readonly bytes: Uint8Array; readonly version?: string } | undefined;
  await store.getMany(
    [{ key, range: { offset: start, length: end - start } }],
    (_, result) => {
      if (result !== 'unchanged') part = result;
    },
    options,
  );
  if (part !== undefined && part.bytes.length !== end - start)
    throw new MetadataError('a file of the repository is shorter than its references');
  return part;
}
