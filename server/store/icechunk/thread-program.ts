/**
 * The thread of a repository: loads Icechunk's WebAssembly library and answers calls. The library reads the objects of
 * the repository through its parent thread. A separate thread, because the library may trap, loop or use much memory on
 * damaged files; then only this thread ends. It imports packages only, so that it also runs without a build.
 *
 * The library does not tell where a chunk is. `locate` therefore reads the chunk through a storage that refuses to read
 * chunks, and notes the part that was asked for. Stores then read this part like any other object, with all of their
 * caches, limits and threads, and without copying it through the memory of the library.
 */
import { instantiateNapiModule } from '@emnapi/core';
import { createContext } from '@emnapi/runtime';
import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { ChangedChunks, HistoryQuery, SnapshotDiff, SnapshotInfo, VersionRef } from '../store.js';
import type {
  Library,
  LibrarySnapshot,
  Repository,
  Session,
  StorageBackend,
  WritableSession,
} from './library.js';
import type {
  Answer,
  Question,
  FromThread,
  FoundKey,
  StorageCall,
  StorageReply,
  StorageWrite,
  ThreadErrorCode,
  ThreadStart,
  ToThread,
  WriteQuestion,
} from './protocol.js';

process.emitWarning = () => {};
// Each look-up ends with an error that is thrown here, of which a third of the time was its stack.
Error.stackTraceLimit = 0;
const { WASI } = await import('node:wasi');

/** For what the library prints when it fails. */
const nowhere = openSync(devNull, 'w');

const PAGE_BYTES = 65_536;
const MIN_PAGES = 4000;
const start: unknown = workerData;
if (!isStart(start)) throw new Error('the thread needs its ThreadStart');
const { maxPages, isWriter } = start;
const isSource = import.meta.url.endsWith('.ts');

function isStart(value: unknown): value is ThreadStart {
  return (
    typeof value === 'object' &&
    value !== null &&
    'maxPages' in value &&
    typeof value.maxPages === 'number' &&
    'isWriter' in value &&
    typeof value.isWriter === 'boolean'
  );
}

/**
 * Makes `memory.buffer` as long as the memory is. When a thread of the library enlarges the memory, V8 tells the other
 * threads late (since V8 14.9 only when they call `grow` themselves). Until then objects of the repository could not be
 * copied to the new part: "offset is out of bounds".
 */
function noticeGrowth(memory: WebAssembly.Memory): void {
  const prototype = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer');
  let known: ArrayBufferLike = memory.buffer;
  Object.defineProperty(memory, 'buffer', {
    get() {
      // The buffer is replaced only by a longer one, because views are recognised by it.
      if (memory.grow(0) * PAGE_BYTES !== known.byteLength) {
        const current: unknown = prototype?.get?.call(memory);
        if (current instanceof SharedArrayBuffer) known = current;
      }
      return known;
    },
  });
}

async function loadLibrary(): Promise<Library> {
  const memory = new WebAssembly.Memory({ initial: MIN_PAGES, maximum: maxPages, shared: true });
  noticeGrowth(memory);
  const file = fileURLToPath(
    import.meta.resolve('@earthmover/icechunk-wasm32-wasi/icechunk.wasm32-wasi.wasm'),
  );
  const { napiModule } = await instantiateNapiModule(await readFile(file), {
    context: createContext(),
    asyncWorkPoolSize: 1,
    reuseWorker: true,
    // Neither files nor variables: the library gets its data from the storage below.
    wasi: new WASI({ version: 'preview1', env: {}, preopens: {}, stdout: nowhere, stderr: nowhere }),
    onCreateWorker() {
      const worker = new Worker(
        new URL(isSource ? './wasi-thread.ts' : './wasi-thread.js', import.meta.url),
        {
          env: {},
          execArgv: [],
        },
      );
      worker.unref();
      return worker;
    },
    overwriteImports: (imports) => ({
      ...imports,
      env: { ...imports['env'], ...imports['napi'], ...imports['emnapi'], memory },
    }),
    beforeInit({ instance }) {
      for (const [name, register] of Object.entries(instance.exports))
        if (name.startsWith('__napi_register__') && typeof register === 'function')
          Reflect.apply(register, undefined, []);
    },
  });
  const library: unknown = napiModule.exports;
  if (!isLibrary(library)) throw new Error('the WebAssembly module is not the Icechunk library');
  return library;
}

function isLibrary(value: unknown): value is Library {
  return typeof value === 'object' && value !== null && 'Storage' in value && 'Repository' in value;
}

// The storage: questions to the parent thread.

const post = (message: FromThread, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer);

const waiting = new Map<number, (reply: StorageReply) => void>();
let questions = 0;

function ask(call: StorageCall, transfer: ArrayBuffer[] = []): Promise<StorageReply> {
  const id = questions++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    post({ kind: 'storage', id, call }, transfer);
  });
}

/** The last failed request of the library, which omits it from some lists instead of failing. */
let lastFailure: { readonly error: Error } | undefined;

function failure(path: string, reply: StorageReply): Error {
  const isAbsent = reply.kind === 'absent';
  const error = new Error(
    isAbsent
      ? `ObjectNotFound: ${path}`
      : reply.kind === 'failed'
        ? reply.mark
        : `unexpected reply for ${path}`,
  );
  // References may be absent, such as those of another version of the format.
  if (!isAbsent || /^(?:snapshots|manifests)\//.test(path)) lastFailure = { error };
  return error;
}

/** @throws the error of any request that failed meanwhile */
async function complete<T>(read: () => Promise<T>): Promise<T> {
  const before = lastFailure;
  const result = await read();
  if (lastFailure !== undefined && lastFailure !== before) throw lastFailure.error;
  return result;
}

const versionOf = (version: string | undefined) => (version === undefined ? {} : { etag: version });
const refuse = async (): Promise<never> => {
  throw new Error('the repository is read-only');
};

async function write(path: string, call: StorageWrite, transfer: ArrayBuffer[] = []) {
  if (!isWriter) return refuse();
  const reply = await ask(call, transfer);
  if (reply.kind === 'changed') return { kind: 'not_on_latest_version' as const };
  if (reply.kind !== 'written') throw failure(path, reply);
  return { kind: 'updated' as const, newVersion: versionOf(reply.version) };
}

/**
 * Parts that the library asked for while it looked for chunks, by a mark that it repeats in its error. Marks cannot be
 * guessed: names of nodes are in errors too.
 */
const noted = new Map<string, FoundKey>();
const marker = `located-${randomUUID()}-`;
const markPattern = new RegExp(`${marker}\\d+;`);
let marks = 0;

/** @throws always */
function note(place: FoundKey): never {
  const mark = `${marker}${marks++};`;
  noted.set(mark, place);
  throw new Error(mark);
}

/** Ids of manifests that the library has read, last read last. */
const recentManifests = new Set<string>();
const MAX_RECENT = 20;

function noteManifest(id: string): void {
  recentManifests.delete(id);
  recentManifests.add(id);
  for (const oldest of recentManifests) {
    if (recentManifests.size <= MAX_RECENT) break;
    recentManifests.delete(oldest);
  }
}

const storageOfParent: StorageBackend = {
  canWrite: async () => isWriter,
  async getObjectRange(_, { path, rangeStart, rangeEnd }) {
    if (path.startsWith('chunks/')) {
      if (rangeStart === undefined || rangeEnd === undefined) throw new Error(`unexpected read of ${path}`);
      return note({ kind: 'part', path, offset: rangeStart, length: rangeEnd - rangeStart });
    }
    if (path.startsWith('manifests/')) noteManifest(path.slice('manifests/'.length));
    const reply = await ask({ name: 'read', path, start: rangeStart, end: rangeEnd });
    if (reply.kind !== 'object') throw failure(path, reply);
    return { data: Buffer.from(reply.bytes.buffer), version: versionOf(reply.version) };
  },
  async getObjectConditional(_, { path, previousVersion }) {
    const reply = await ask({ name: 'readIfChanged', path, version: previousVersion?.etag });
    if (reply.kind === 'unchanged') return { kind: 'on_latest_version' };
    if (reply.kind !== 'object') throw failure(path, reply);
    return { kind: 'modified', data: Buffer.from(reply.bytes.buffer), newVersion: versionOf(reply.version) };
  },
  async listObjects(_, prefix) {
    const reply = await ask({ name: 'list', prefix });
    if (reply.kind !== 'listed') throw failure(prefix, reply);
    return reply.objects.map(({ key, bytes }) => ({ id: key, createdAt: new Date(0), sizeBytes: bytes }));
  },
  // The library compares the time with its own, to find clocks that are wrong.
  getObjectLastModified: async () => (isWriter ? new Date() : refuse()),
  putObject(_, { path, data, previousVersion }) {
    const etag = previousVersion?.etag;
    const condition =
      previousVersion === undefined ? {} : etag === undefined ? { ifAbsent: true } : { ifMatch: etag };
    // A copy, because the buffer may be memory of the library.
    const bytes = Uint8Array.from(data);
    return write(path, { name: 'put', path, bytes, condition }, [bytes.buffer]);
  },
  copyObject: (_, { from, to, version }) => write(from, { name: 'copy', from, to, version: version.etag }),
  deleteBatch: refuse,
};

// The calls.

const library = await loadLibrary();
let current: Repository | undefined;

function opened(): Repository {
  if (current === undefined) throw new Error('the repository is not open');
  return current;
}

/** Sessions of recently read snapshots. */
const sessions = new Map<string, Promise<Session>>();
const MAX_SESSIONS = 4;

function sessionOf(snapshot: string): Promise<Session> {
  if (isWriter && snapshot.startsWith('write-')) return Promise.resolve(changesOf(snapshot));
  const known = sessions.get(snapshot);
  sessions.delete(snapshot);
  const session = known ?? opened().readonlySession({ snapshotId: snapshot });
  sessions.set(snapshot, session);
  session.catch(() => sessions.delete(snapshot));
  for (const [oldest] of sessions) {
    if (sessions.size <= MAX_SESSIONS) break;
    sessions.delete(oldest);
  }
  return session;
}

async function answerTo(call: Question): Promise<Answer> {
  switch (call.name) {
    case 'open':
      return { name: 'open', specVersion: await open() };
    case 'create':
      return { name: 'open', specVersion: await create(call.specVersion) };
    case 'resolve':
      return { name: 'resolve', snapshot: await resolveRef(call.ref) };
    case 'branches':
      return { name: 'names', names: await opened().listBranches() };
    case 'tags':
      return { name: 'names', names: await opened().listTags() };
    case 'history':
      return { name: 'history', snapshots: await history(call.query, call.maxMs) };
    case 'diff':
      return { name: 'diff', diff: await rememberedDiff(call.from, call.to) };
    case 'locate':
      return { name: 'locate', places: await locateAll(call.snapshot, call.keys) };
    case 'manifests':
      return { name: 'names', names: await manifestsOf(call.snapshot) };
    case 'list':
      return {
        name: 'names',
        names: await complete(async () => (await sessionOf(call.snapshot)).store.listDir(call.prefix)),
      };
    case 'walk':
      return { name: 'names', names: await complete(() => walk(call.snapshot, call.prefix)) };
    default:
      return answerToWrite(call);
  }
}

/** The library would read a large chunk in several requests, of which only one would be noted. */
const config = { storage: { concurrency: { maxConcurrentRequestsForObject: 1 } } };

async function open(): Promise<number> {
  current = await library.Repository.open(library.Storage.newCustom(storageOfParent), config);
  return current.specVersion;
}

async function create(specVersion: number | undefined): Promise<number> {
  const storage = library.Storage.newCustom(storageOfParent);
  try {
    current = await library.Repository.create(storage, config, specVersion ?? null);
  } catch (error) {
    throw explained(error);
  }
  return current.specVersion;
}

// Write sessions. Their chunks are stored at once, under new names; everything else when they are committed.

const changes = new Map<string, WritableSession>();
const DEFAULT_INLINE_BYTES = 512;

function changesOf(name: string): WritableSession {
  const session = changes.get(name);
  if (session === undefined) throw new ThreadError('lost', 'the changes were lost; nothing was committed');
  return session;
}

async function answerToWrite(call: WriteQuestion): Promise<Answer> {
  try {
    switch (call.name) {
      case 'begin': {
        const session = await opened().writableSession(call.branch);
        changes.set(call.session, session);
        const { inlineChunkThresholdBytes: inlineBytes = DEFAULT_INLINE_BYTES } = opened().config;
        return { name: 'begin', snapshot: session.snapshotId, inlineBytes };
      }
      case 'set': {
        const { bytes } = call;
        await changesOf(call.session).store.set(call.key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)); // prettier-ignore
        break;
      }
      case 'remove': {
        const { store } = changesOf(call.session);
        for (const key of call.keys) await store.delete(key);
        break;
      }
      case 'removeBelow': {
        const { store } = changesOf(call.session);
        await (call.prefix === '' ? store.clear() : store.deleteDir(call.prefix));
        break;
      }
      case 'commit':
        return { name: 'commit', commit: await commit(call.session, call.message, call.maxMs) };
      case 'discard':
        // The memory is freed when the garbage collector finds the session.
        await changes.get(call.session)?.discardChanges();
        changes.delete(call.session);
        break;
      case 'createBranch':
        await opened().createBranch(call.ref, call.snapshot);
        break;
      case 'createTag':
        await opened().createTag(call.ref, call.snapshot);
        break;
    }
    return { name: 'done' };
  } catch (error) {
    throw explained(error);
  }
}

/** Longest pause before a commit is repeated, in ms. */
const MAX_PAUSE_MS = 200;

/** A commit that lost a race is rebased and repeated. */
async function commit(name: string, message: string, maxMs: number) {
  const end = performance.now() + maxMs;
  const session = changesOf(name);
  for (let attempt = 0; ; attempt++) {
    const parent = session.snapshotId;
    try {
      const snapshot = await session.commit(message);
      changes.delete(name);
      return { snapshot, parent };
    } catch (error) {
      const text = messageOf(error);
      if (text.startsWith('cannot commit, no changes')) return undefined;
      if (!text.startsWith('branch update conflict')) throw error;
      if (performance.now() > end)
        throw new ThreadError('conflict', 'other writers keep committing to the branch; nothing was changed, try again'); // prettier-ignore
    }
    if (attempt > 0) await pause(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
    await session.rebase();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const explanations: readonly (readonly [start: RegExp, code: ThreadErrorCode, message?: string])[] = [
  [/^cannot rebase snapshot/, 'conflict', 'another commit has changed the same nodes or chunks; nothing was changed, read them again'], // prettier-ignore
  [/^branch not found/, 'conflict', 'the branch was deleted; nothing was changed'],
  [/^branch already exists/, 'exists', 'a branch of this name exists'],
  [/^tag already exists/, 'exists', 'a tag of this name exists or existed; tags never change'],
  [/^(?:repositories can only be created in clean prefixes|.*already exists)/, 'exists', 'files exist at this address'], // prettier-ignore
  [/^(?:store method|invalid zarr key format|bad metadata|invalid chunk index)/, 'unsupported'],
];

/** Errors of the library that callers can understand. */
function explained(error: unknown): unknown {
  const text = messageOf(error).split('\n')[0] ?? '';
  for (const [start, code, message = `Icechunk cannot store this: ${text}`] of explanations)
    if (start.test(text)) return new ThreadError(code, message);
  return error;
}

/** Snapshots that were looked up, which never change. */
const infos = new Map<string, SnapshotInfo>();
const MAX_INFOS = 100_000;
/** Length of a message of a commit, in characters, beyond which it is truncated. */
const MAX_MESSAGE = 4000;

/**
 * Walks from snapshot to snapshot, because there may be 100,000, in version 1 each in a file. Ends before the call is given
 * up, so that the next one continues.
 */
async function history(
  { snapshot, first, after, notAfterMs = Infinity }: HistoryQuery,
  maxMs: number,
): Promise<readonly SnapshotInfo[]> {
  const end = performance.now() + maxMs;
  const found: SnapshotInfo[] = [];
  let isPast = after === undefined;
  for await (const info of ancestors(snapshot)) {
    if (found.length >= first) return found;
    if (performance.now() > end) throw new ThreadError('limit', 'the history is too long to be found in time; request it again to continue'); // prettier-ignore
    if (isPast && Date.parse(info.writtenAt) <= notAfterMs) found.push(info);
    isPast ||= info.id === after;
    if (found.length >= first) return found;
  }
  if (!isPast) throw new ThreadError('input', '"after" is not the id of a snapshot before this one');
  return found;
}

/** The snapshot itself is the first one. */
async function* ancestors(snapshot: string): AsyncGenerator<SnapshotInfo> {
  let lookups = 0;
  let id: string | undefined = snapshot;
  for (let steps = 0; id !== undefined; steps++) {
    if (steps >= MAX_INFOS)
      throw new ThreadError('limit', `the history has more than ${MAX_INFOS} snapshots`);
    if (!infos.has(id)) lookups += 1;
    // Version 2 has the ids of all snapshots in one object, which the library reads for each look-up.
    if (lookups === 2 && !infos.has(id) && opened().specVersion > 1)
      for (const each of await opened().ancestry({ snapshotId: id })) remember(each);
    const info: SnapshotInfo = infos.get(id) ?? remember(await opened().lookupSnapshot(id));
    yield info;
    id = info.parent;
  }
}

function remember({ id, parentId: parent, writtenAt, message }: LibrarySnapshot): SnapshotInfo {
  const short = message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}...`;
  const info = { id, parent, writtenAt, message: short };
  infos.set(id, info);
  for (const [oldest] of infos) {
    if (infos.size <= MAX_INFOS) break;
    infos.delete(oldest);
  }
  return info;
}

/** The last differences: they never change, and take long. */
const diffs = new Map<string, Promise<SnapshotDiff>>();
const MAX_DIFFS = 8;
/** The time of a difference grows with the square of the number of commits: 100 take 3 s. */
const MAX_DIFF_COMMITS = 100;
const MAX_DIFF_NODES = 100_000;

function rememberedDiff(from: string, to: string): Promise<SnapshotDiff> {
  const key = `${from} ${to}`;
  const known = diffs.get(key) ?? diff(from, to);
  diffs.delete(key);
  diffs.set(key, known);
  known.catch(() => diffs.delete(key));
  for (const [oldest] of diffs) {
    if (diffs.size <= MAX_DIFFS) break;
    diffs.delete(oldest);
  }
  return known;
}

async function diff(fromSnapshotId: string, toSnapshotId: string): Promise<SnapshotDiff> {
  let commits = 0;
  for await (const { id } of ancestors(toSnapshotId)) {
    if (id === fromSnapshotId) break;
    commits += 1;
    if (commits > MAX_DIFF_COMMITS)
      throw new ThreadError('limit', `more than ${MAX_DIFF_COMMITS} commits are between the snapshots; compare snapshots that are closer`); // prettier-ignore
  }
  const { updatedChunks, ...nodes } = await opened().diff({ fromSnapshotId, toSnapshotId });
  const found = {
    ...nodes,
    updatedChunks: Object.entries(updatedChunks).map(([path, indices]) => changedChunks(path, indices)),
  };
  if (Object.values(found).some(({ length }) => length > MAX_DIFF_NODES))
    throw new ThreadError('limit', `more than ${MAX_DIFF_NODES} nodes differ`);
  return found;
}

/** The indices of a large change would take much longer to pass on than their bounds. */
function changedChunks(path: string, indices: readonly (readonly number[])[]): ChangedChunks {
  const [start = []] = indices;
  const [first, last] = [[...start], [...start]];
  for (const index of indices)
    index.forEach((position, d) => {
      first[d] = Math.min(first[d] ?? position, position);
      last[d] = Math.max(last[d] ?? position, position);
    });
  return { path, count: indices.length, first, last };
}

async function walk(snapshot: string, prefix: string): Promise<readonly string[]> {
  const { store } = await sessionOf(snapshot);
  if (prefix === '') return store.list();
  try {
    // The library lists groups and arrays only.
    const keys = await store.listPrefix(prefix.replace(/(^|\/)c(\/\d+)*$/, ''));
    return keys.filter((key) => key.startsWith(`${prefix}/`));
  } catch (error) {
    if (messageOf(error).startsWith('bad key prefix')) return [];
    throw error;
  }
}

async function resolveRef(ref: VersionRef): Promise<string> {
  if ('snapshot' in ref) return (await opened().lookupSnapshot(ref.snapshot)).id;
  return 'branch' in ref ? opened().lookupBranch(ref.branch) : opened().lookupTag(ref.tag);
}

async function manifestsOf(snapshot: string): Promise<readonly string[]> {
  const files = await complete(() => opened().lookupManifestFiles(snapshot));
  return files.map(({ id }) => id);
}

/** Together: each takes 0.1 ms of the thread, and 0.3 ms if the next one waits for it. */
async function locateAll(snapshot: string, keys: readonly string[]): Promise<readonly FoundKey[]> {
  const session = await sessionOf(snapshot);
  return Promise.all(keys.map((key) => locate(session, key)));
}

async function locate(session: Session, key: string): Promise<FoundKey> {
  try {
    const bytes = await session.store.get(key);
    // A copy, because transferring the buffer of the library's array would detach its memory.
    return bytes === null ? { kind: 'absent' } : { kind: 'bytes', bytes: Uint8Array.from(bytes) };
  } catch (error) {
    const message = messageOf(error);
    const [mark = ''] = markPattern.exec(message) ?? [];
    const place = noted.get(mark);
    noted.delete(mark);
    if (place !== undefined) return place;
    // A chunk of an array that does not exist, or of a group.
    if (/^(?:node not found|there is not an array)/.test(message)) return { kind: 'absent' };
    const elsewhere = isVirtual.test(message) ? await wantedOf(session, key) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    throw error;
  }
}

/** What the library reports of chunks in other files, which this build cannot read. */
const isVirtual = /^(?:no virtual chunk container|a virtual chunk in this repository|unknown error)/;
const chunkKey = /^(?:(.*)\/)?c((?:\/\d+)*)$/;

async function wantedOf(session: Session, key: string): Promise<FoundKey | undefined> {
  const match = chunkKey.exec(key);
  if (match === null) return undefined;
  const [, path = '', indices = ''] = match;
  const node = await session.getNodeId(`/${path}`);
  const index = indices.split('/').slice(1).map(Number);
  return { kind: 'elsewhere', wanted: { node, index, recent: [...recentManifests].toReversed() } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Messages of the parent thread.

/** An error of this program, not of the library. */
class ThreadError extends Error {
  readonly code: ThreadErrorCode;

  constructor(code: ThreadErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

async function answer(id: number, call: Question): Promise<void> {
  try {
    post({ kind: 'answer', id, answer: await answerTo(call) });
  } catch (error) {
    post({ kind: 'error', id, message: messageOf(error), ...(error instanceof ThreadError ? { code: error.code } : {}) }); // prettier-ignore
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'call') {
    answer(message.id, message.call).catch((error: unknown) => {
      throw error;
    });
    return;
  }
  const resolve = waiting.get(message.id);
  waiting.delete(message.id);
  resolve?.(message.reply);
});
