/**
 * Write sessions of a repository. Its thread is another one than that of reads, which neither wait for a commit nor end
 * with it.
 */
import { deferred } from '../../core/deferred.js';
import {
  AlreadyExistsError,
  ConflictError,
  InputError,
  isZarrError,
  LimitError,
  MetadataError,
  NotFoundError,
  StoreUnavailableError,
  UnsupportedError,
  withContext,
} from '../../core/errors.js';
import { isJsonObject } from '../../core/bytes/json.js';
import { parseJson } from '../../core/bytes/parse-json.js';
import { createKeyLock } from '../locks.js';
import { untilAborted, wait } from '../retries.js';
import type {
  BeginOptions,
  StoredCommit,
  KeyStore,
  ReadOptions,
  VersionWriting,
  WriteSession,
} from '../store.js';
import { LibraryThread, type LibraryThreadOptions } from './library-thread.js';
import type { Answer, Located, Question, StorageReply, StorageWrite, Wanted } from './protocol.js';
import { askPlaces, type IcechunkRepository, isStoredKey, placeByName } from './repository.js';
import { createSnapshotStore } from './snapshot-store.js';
import type { VirtualPrefix } from '../virtual/virtual-chunks.js';
import { writeFile } from './write-files.js';

export interface WriterOptions {
  readonly label: string;
  readonly repository: IcechunkRepository;
  readonly branch: string;
  /** The files of the repository. */
  readonly files: KeyStore;
  /** The same files with a cache, for those that never change. */
  readonly fixedFiles: KeyStore;
  readonly virtual: readonly VirtualPrefix[];
  readonly deadlineMs: number;
}

/** Memory of all sessions of a repository, in bytes. The library keeps changes until they are committed. */
const MAX_SESSION_BYTES = 128 * 2 ** 20;
/** Maximum size of a chunk: the library copies it several times in its memory of 1 GiB. */
const MAX_CHUNK_BYTES = 128 * 2 ** 20;
/** Larger chunks pass through the library one after the other. */
const LARGE_CHUNK_BYTES = 8 * 2 ** 20;
/** Estimated memory of a changed chunk, and of a document as a multiple of its length. */
const CHUNK_BYTES = 400;
const DOCUMENT_FACTOR = 4;
/** A commit takes several requests, each with its own deadline. */
const DEADLINES = 4;
/** Share of the deadline of a commit after which it is not repeated. */
const REPEAT_SHARE = 0.5;
/** Number of commits of others that may follow one whose outcome was unknown. */
const MAX_LATER = 1000;
const MAX_NAME = 200;

type Begun = Extract<Answer, { name: 'begin' }>;

export class RepositoryWriter implements VersionWriting {
  readonly #options: WriterOptions;
  readonly #threadOptions: LibraryThreadOptions;
  readonly #thread: LibraryThread;
  #sessions = 0;
  #heldBytes = 0;
  /** The last session that others wait for. */
  #last: Promise<void> = Promise.resolve();
  /** The last commit. */
  #lastCommit: Promise<unknown> = Promise.resolve();
  readonly #writes = new Set<Promise<unknown>>();
  readonly #largeChunks = createKeyLock();
  /** Ids of snapshots whose files were written during the commit. */
  #written: string[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#threadOptions = {
      ...options.repository.threadOptions,
      storage: (call) =>
        call.name === 'put' || call.name === 'copy'
          ? this.#write(call)
          : options.repository.threadOptions.storage(call),
      isWriter: true,
      deadlineMs: DEADLINES * options.deadlineMs,
    };
    this.#thread = new LibraryThread(this.#threadOptions);
  }

  async begin({ signal, charge, waits = true }: BeginOptions = {}): Promise<WriteSession> {
    const endTurn = waits ? await this.#takeTurn(signal) : () => {};
    const release = this.#thread.hold();
    const session = `write-${this.#sessions++}`;
    let held = 0;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      this.#heldBytes -= held;
      held = 0;
      release();
      endTurn();
    };
    try {
      const { branch } = this.#options;
      const begun = await this.#call({ name: 'begin', session, branch }, signal);
      const answer = begun.name === 'begin' ? begun : unexpected();
      const { snapshot: base } = answer;
      const take = async (bytes: number): Promise<void> => {
        if (this.#heldBytes + bytes > MAX_SESSION_BYTES)
          throw new LimitError('too many changes in one commit; split the request', {
            excess: [{ limit: 'changes of a commit', allowed: MAX_SESSION_BYTES, needed: this.#heldBytes + bytes }], // prettier-ignore
          });
        held += bytes;
        this.#heldBytes += bytes;
        await charge?.(bytes);
      };
      return {
        base,
        store: this.#storeOf(session, answer, take),
        commit: async (message) => {
          if (isOver) throw new ConflictError('the changes were committed or discarded before');
          try {
            return await this.#commit(session, message);
          } catch (error) {
            await this.#discard(session);
            throw error;
          } finally {
            end();
          }
        },
        discard: async () => {
          if (isOver) return;
          await this.#discard(session);
          end();
        },
      };
    } catch (error) {
      end();
      throw isZarrError(error, 'CONFLICT') ? new NotFoundError(`the repository has no branch ${JSON.stringify(this.#options.branch)}`, { where: { store: this.#options.label } }) : error; // prettier-ignore
    }
  }

  async createRepository(specVersion?: number): Promise<void> {
    if (specVersion !== undefined && specVersion !== 1 && specVersion !== 2)
      throw new InputError(`the version of the specification is ${specVersion}; expected 1 or 2`);
    const open = { name: 'create', specVersion } as const;
    const thread = new LibraryThread({ ...this.#threadOptions, open });
    try {
      await this.#call({ name: 'branches' }, undefined, thread);
    } catch (error) {
      const isKnown = isZarrError(error, 'ALREADY_EXISTS') || !isZarrError(error, 'INVALID_METADATA');
      throw isKnown ? error : new AlreadyExistsError('files exist at this address', { cause: error });
    } finally {
      await thread.close();
    }
    this.#options.repository.restart();
    this.#thread.restart();
  }

  createBranch(name: string, snapshot: string): Promise<void> {
    return this.#createRef('createBranch', name, snapshot);
  }

  createTag(name: string, snapshot: string): Promise<void> {
    return this.#createRef('createTag', name, snapshot);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #createRef(name: 'createBranch' | 'createTag', ref: string, snapshot: string): Promise<void> {
    assertRefName(ref);
    // Throws for an unknown snapshot, which the library does not always check.
    const id = await this.#options.repository.resolve({ snapshot }, { fresh: true });
    await this.#locked(async () => this.#call({ name, ref, snapshot: id }, undefined));
  }

  /** Waits for the sessions of this process: those of several processes are rebased. */
  async #takeTurn(signal: AbortSignal | undefined): Promise<() => void> {
    const before = this.#last;
    const turn = deferred();
    this.#last = before.then(() => turn.promise);
    try {
      await untilAborted(signal, before);
    } catch (error) {
      turn.resolve();
      throw error;
    }
    return () => turn.resolve();
  }

  async #discard(session: string): Promise<void> {
    // A session that was lost with its thread needs no discarding.
    await this.#call({ name: 'discard', session }, undefined).catch(() => {});
  }

  #commit(session: string, message: string): Promise<StoredCommit | undefined> {
    const commit = this.#lastCommit.then(() => this.#locked(() => this.#commitNow(session, message)));
    this.#lastCommit = commit.catch(() => {});
    return commit;
  }

  /**
   * Excludes other processes where that costs little: in folders. Elsewhere, conditional writes are enough, and the
   * commit that loses a race is rebased.
   */
  async #locked<T>(body: () => Promise<T>): Promise<T> {
    const { files, label } = this.#options;
    if (files.withLock === undefined) return body();
    let result: { readonly value: T } | undefined;
    try {
      await files.withLock('//icechunk//commit', async () => void (result = { value: await body() }), {
        isGuarded: true,
      });
    } catch (error) {
      // The lock was lost after the commit, whose writes are conditional as well.
      if (result === undefined) throw withContext(error, { store: label });
    }
    return result === undefined ? unexpected() : result.value;
  }

  async #commitNow(session: string, message: string): Promise<StoredCommit | undefined> {
    const maxMs = REPEAT_SHARE * DEADLINES * this.#options.deadlineMs;
    this.#written = [];
    try {
      const answer = await this.#call({ name: 'commit', session, message, maxMs }, undefined);
      return this.#published(answer.name === 'commit' ? answer.commit : unexpected());
    } catch (error) {
      // Readers of this process must see what the changes conflict with.
      const { repository, branch } = this.#options;
      if (isZarrError(error, 'CONFLICT'))
        await repository.resolve({ branch }, { fresh: true }).catch(() => {});
      if (isZarrError(error, 'CONFLICT', 'ALREADY_EXISTS', 'LIMIT_EXCEEDED')) throw error;
      return this.#published(await this.#foundAfter(error));
    }
  }

  #published(commit: StoredCommit | undefined): StoredCommit | undefined {
    const { repository, branch } = this.#options;
    if (commit !== undefined) repository.moveBranch(branch, commit.snapshot);
    return commit;
  }

  /**
   * The commit, if it was stored although it failed: the last write may have succeeded before the thread ended.
   * @throws the error if it was not stored; StoreUnavailableError if that is unknown
   */
  async #foundAfter(error: unknown): Promise<StoredCommit> {
    const { repository, branch, label, deadlineMs } = this.#options;
    const ids = this.#written;
    if (ids.length === 0) throw error;
    const stop = new AbortController();
    await Promise.race([Promise.allSettled(this.#writes), wait(deadlineMs, stop.signal).catch(() => {})]);
    stop.abort();
    try {
      if (this.#writes.size > 0) throw error;
      const head = await repository.resolve({ branch }, { fresh: true });
      for (const { id, parent } of await repository.history({ snapshot: head, first: MAX_LATER }))
        if (ids.includes(id) && parent !== undefined) return { snapshot: id, parent };
    } catch (cause) {
      throw new StoreUnavailableError(
        'the store failed during the commit, and it is unknown whether it was stored; look for it in the history',
        { cause, where: { store: label } },
      );
    }
    throw error;
  }

  #storeOf(
    session: string,
    { snapshot: base, inlineBytes }: Begun,
    take: (bytes: number) => Promise<void>,
  ): KeyStore {
    const { label, fixedFiles, virtual, repository: all } = this.#options;
    const largeChunks = this.#largeChunks;
    const ask = (call: Question, signal?: AbortSignal): Promise<Answer> => this.#call(call, signal);
    const names = async (call: Question, options?: ReadOptions): Promise<readonly string[]> => {
      const answer = await ask(call, options?.signal);
      return answer.name === 'names' ? answer.names : unexpected();
    };
    const change = async (call: Question, signal: AbortSignal | undefined): Promise<void> => {
      if ((await ask(call, signal)).name !== 'done') unexpected();
    };
    const store = createSnapshotStore({
      label,
      repository: {
        async locate(_, keys, options) {
          const found = keys.map((key) => placeByName(key, label));
          const missing = keys.filter((_key, i) => found[i] === undefined);
          const refer = (wanted: Wanted): Promise<Located> => all.refer(base, wanted, options);
          const places = await askPlaces((call) => ask(call, options?.signal), session, missing, refer);
          return keys.map((key, i) => found[i] ?? places.get(key) ?? unexpected());
        },
        list: (_, prefix, options) => names({ name: 'list', snapshot: session, prefix }, options),
        walk: (_, prefix, options) => names({ name: 'walk', snapshot: session, prefix }, options),
      },
      snapshot: () => session,
      objects: fixedFiles,
      virtual,
      writing: {
        async set(key, bytes, { signal }) {
          if (!isStoredKey(key))
            throw new UnsupportedError('Icechunk stores groups and arrays of Zarr format 3 only');
          const isDocument = key.endsWith('zarr.json');
          if (isDocument) assertChunkKeys(bytes);
          if (bytes.length > MAX_CHUNK_BYTES)
            throw new LimitError('the chunk is too large for an Icechunk repository; use smaller chunks', {
              excess: [{ limit: 'chunk bytes', allowed: MAX_CHUNK_BYTES, needed: bytes.length }],
            });
          // Larger chunks are stored at once.
          const inline = bytes.length <= inlineBytes ? bytes.length : 0;
          await take(CHUNK_BYTES + (isDocument ? DOCUMENT_FACTOR * bytes.length : inline));
          const set = (): Promise<void> => change({ name: 'set', session, key, bytes }, signal);
          await (bytes.length > LARGE_CHUNK_BYTES ? largeChunks.withLock('', set) : set());
        },
        async delete(key, { signal }) {
          await this.deleteMany?.([key], { signal });
        },
        async deleteMany(keys, { signal }) {
          const stored = keys.filter(isStoredKey);
          await take(CHUNK_BYTES * stored.length);
          await change({ name: 'remove', session, keys: stored }, signal);
        },
        deletePrefix: (prefix, { signal }) => change({ name: 'removeBelow', session, prefix }, signal),
      },
      close: async () => {},
    });
    return { ...store, isIsolated: true };
  }

  #write(call: StorageWrite): Promise<StorageReply> {
    const written = call.name === 'put' ? /^snapshots\/(.+)$/.exec(call.path)?.[1] : undefined;
    if (written !== undefined) this.#written.push(written);
    const writing = writeFile(this.#options.files, call);
    this.#writes.add(writing);
    const ended = (): void => void this.#writes.delete(writing);
    writing.then(ended, ended);
    return writing;
  }

  async #call(call: Question, signal: AbortSignal | undefined, thread = this.#thread): Promise<Answer> {
    try {
      return await thread.call(call, signal);
    } catch (error) {
      throw withContext(error, { store: this.#options.label });
    }
  }
}

/** @throws UnsupportedError for an array whose chunks the library could not find */
function assertChunkKeys(document: Uint8Array): void {
  const json = parseJson(document);
  const encoding = isJsonObject(json) ? json['chunk_key_encoding'] : undefined;
  if (encoding === undefined) return;
  const { name, configuration } = isJsonObject(encoding)
    ? encoding
    : { name: encoding, configuration: undefined };
  const separator =
    isJsonObject(configuration ?? null) && isJsonObject(configuration)
      ? configuration['separator']
      : undefined;
  if (name !== 'default' || (separator !== undefined && separator !== '/'))
    throw new UnsupportedError('Icechunk stores chunks under keys such as c/0/1 only; omit the separator');
}

/** @throws InputError for a name that the library accepts, but not all programs */
function assertRefName(name: string): void {
  if (!/^[\w.-]+$/.test(name) || name.length > MAX_NAME || name.startsWith('.'))
    throw new InputError(
      `${JSON.stringify(name.slice(0, 40))} cannot be the name of a branch or tag; use letters, digits, ".", "_" and "-"`,
    );
}

function unexpected(): never {
  throw new MetadataError('the Icechunk library returned an unexpected answer');
}
