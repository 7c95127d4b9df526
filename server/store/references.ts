/** A store whose objects are those that references lead to: parts of other files, and bytes within the references. */
import { createHash } from 'node:crypto';
import { startTimer } from '#platform';
import { ConflictError, MetadataError, NotFoundError, throwIfAborted, withContext } from '../core/errors.js';
import { createPause } from '../core/turns.js';
import { metadataBounds } from '../core/limits.js';
import { assertObjectSize, assertRequest, assertVersion, atKey, resolveRange } from './checks.js';
import { defineStore } from './define-store.js';
import { joinKey } from './keys.js';
import { openJsonReferences } from './references/json-references.js';
import { openParquetReferences, ParquetFiles } from './references/parquet-references.js';
import type { Reference } from './references/reference.js';
import type { ReferenceSet } from './references/reference-set.js';
import type { ByteRange, KeyStore, ReadOptions, ReadRequest, ReadResult, StoreValue } from './store.js';
import { uncompressed } from './references/uncompressed.js';
import { untilAborted } from './retries.js';
import { readVirtual, type VirtualPart, type VirtualPrefix } from './virtual/virtual-chunks.js';

export interface ReferencesStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** The files of the references, with a cache of versions only. */
  readonly files: KeyStore;
  /** The key of a JSON file, or of a folder of parquet files; "" for those at the top of an archive. */
  readonly key: string;
  /** The percent-encoded address of the folder of the references, which ends with a slash. */
  readonly base: string;
  /** Where the references may lead. */
  readonly virtual: readonly VirtualPrefix[];
  /** Time for which references without a version are used without reading them again, in ms. */
  readonly maxAgeMs: number;
  readonly maxVersionChecks?: number | undefined;
}

const READ_ONLY = 'references are read-only; write their values to another store to change them';
const CONSOLIDATED = '.zmetadata';
/** Remote stores: see `StoreFacts.maxVersionChecks`. */
const REMOTE_VERSION_CHECKS = 256;

/** Names of documents that are looked up before a folder of that name. */
const jsonName = /\.json(?:\.zst|\.gz)?$/i;
/** Time without reads after which the references are released, which may take hundreds of megabytes. */
const IDLE_MS = 5 * 60_000;

const NO_REFERENCES =
  'no references are at this address; they are a JSON file, or a folder with .zmetadata and parquet files';

/** One state of the references. */
interface State {
  /** The key of the references, and of the document that was read. */
  readonly key: string;
  readonly readKey: string;
  readonly set: ReferenceSet;
  readonly version: string | undefined;
  /** When it was read, in the time of `performance.now`. */
  readonly readAt: number;
}

/**
 * Creates a read-only store over references. A changed file is noticed as in other stores, and versions of chunks are those of
 * their reference and their file. Closing it closes all stores that it was given.
 */
export function createReferencesStore(options: ReferencesStoreOptions): KeyStore {
  const { label, files, key, virtual, maxAgeMs } = options;
  const source = { ...options, parquet: new Map<string, ParquetFiles>() };
  const isLocal = files.isLocal && virtual.every(({ store }) => store.isLocal);
  let state: State | undefined;
  const idle = startTimer(() => (state = undefined), IDLE_MS, false);
  let opening: Promise<State> | undefined;

  // Concurrent readers share one check of the file, so the signal of the first reader must not end it.
  async function current(readOptions?: ReadOptions): Promise<State> {
    throwIfAborted(readOptions?.signal);
    idle.restart();
    if (state !== undefined && state.version === undefined && performance.now() < state.readAt + maxAgeMs)
      return state;
    opening ??= openState(source, state).finally(() => {
      opening = undefined;
    });
    try {
      state = await untilAborted(readOptions?.signal, opening);
    } catch (error) {
      throw withContext(error, { store: label, key: key === '' ? CONSOLIDATED : key });
    }
    throwIfAborted(readOptions?.signal);
    return state;
  }

  return defineStore({
    ...{ kind: 'REFERENCES', label, isLocal, readOnlyReason: READ_ONLY },
    maxVersionChecks: options.maxVersionChecks ?? (isLocal ? 10_000 : REMOTE_VERSION_CHECKS),

    async getMany(requests, each, readOptions) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(readOptions?.signal);
      if (requests.length === 0) return;
      const { set, version } = await current(readOptions);
      const found = await findAll(set, requests, readOptions);
      const reads: TargetRead[] = [];
      const pause = createPause(readOptions?.signal);
      for (const [index, request] of requests.entries()) {
        const reference = found[index];
        const read = atKey(label, request.key, () =>
          readOf(request, reference, readOptions?.maxBytes, set, version),
        );
        if ('result' in read) each(index, read.result);
        else reads.push({ index, key: request.key, ...read });
        await pause();
      }
      await readTargets(reads, each, readOptions);
    },

    listing: {
      async list(prefix, listOptions) {
        const { set } = await current(listOptions);
        const listing = await set.list(prefix, listOptions);
        if (prefix !== '' || set.consolidated === undefined || listing.keys.includes(CONSOLIDATED))
          return listing;
        return { ...listing, keys: [CONSOLIDATED, ...listing.keys].sort() };
      },
      async *walk(prefix, walkOptions) {
        yield* (await current(walkOptions)).set.walk(prefix, walkOptions);
      },
    },

    async close() {
      idle.stop();
      await Promise.all([files, ...virtual.map(({ store }) => store)].map((store) => store.close()));
    },
  });

  async function readTargets(
    reads: readonly TargetRead[],
    each: (index: number, result: ReadResult) => void,
    readOptions: ReadOptions | undefined,
  ): Promise<void> {
    if (reads.length === 0) return;
    const receive = (position: number, result: StoreValue | 'unchanged'): void => {
      const read = reads[position];
      if (read === undefined) throw new MetadataError('the store returned too many results');
      each(read.index, result === 'unchanged' ? result : valueOf(result, read));
    };
    try {
      const parts = reads.map(({ part }) => part);
      await readVirtual(virtual, parts, receive, readOptions);
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }
}

async function findAll(
  set: ReferenceSet,
  requests: readonly ReadRequest[],
  options: ReadOptions | undefined,
): Promise<readonly (Reference | undefined)[]> {
  const keys = requests.map((request) => request.key);
  const found = await set.find(keys, options);
  const { consolidated } = set;
  if (consolidated === undefined) return found;
  return found.map((reference, i) =>
    keys[i] === CONSOLIDATED ? { kind: 'inline', bytes: consolidated } : reference,
  );
}

interface TargetRead {
  readonly index: number;
  readonly key: string;
  readonly part: VirtualPart;
  /** Size of the chunk; undefined for a whole file. */
  readonly total: number | undefined;
  /** Identifies the reference. */
  readonly digest: string;
}

/** @throws ConflictError, LimitError */
function readOf(
  { range, ifMatch, ifNoneMatch }: ReadRequest,
  reference: Reference | undefined,
  maxBytes: number | undefined,
  set: ReferenceSet,
  setVersion: string | undefined,
): { readonly result: ReadResult } | Pick<TargetRead, 'part' | 'total' | 'digest'> {
  if (reference === undefined) {
    assertVersion(undefined, ifMatch);
    return { result: undefined };
  }
  if (reference.kind === 'inline') {
    const { bytes } = reference;
    // Consolidated metadata may be too long to be hashed for each request.
    const version = digestOf(bytes === set.consolidated && setVersion !== undefined ? setVersion : bytes);
    assertVersion(version, ifMatch);
    if (ifNoneMatch === version) return { result: 'unchanged' };
    const { offset, length } = resolveRange(range, bytes.length);
    assertObjectSize(length, maxBytes);
    return { result: { bytes: bytes.subarray(offset, offset + length), total: bytes.length, version } };
  }
  const { target } = reference;
  const digest = digestOf(JSON.stringify([target.url, target.offset, target.length]));
  const required = versionIn(ifMatch, digest);
  if (ifMatch !== undefined && required === undefined)
    throw new ConflictError('the reference has changed since it was read; read it again');
  const known = versionIn(ifNoneMatch, digest);
  const conditions = {
    ...(required === undefined ? {} : { ifMatch: required }),
    ...(known === undefined ? {} : { ifNoneMatch: known }),
  };
  const part = { reference: target, range: rangeOf(target, range, maxBytes), ...conditions };
  return { part, total: target.length, digest };
}

function rangeOf(
  { offset, length }: VirtualPart['reference'],
  range: ByteRange | undefined,
  maxBytes: number | undefined,
): ByteRange | undefined {
  if (length === undefined) return range;
  const part = resolveRange(range, length);
  assertObjectSize(part.length, maxBytes);
  return { offset: offset + part.offset, length: part.length };
}

/** The version of a chunk is that of its reference and that of the file. Addresses may be secret. */
function valueOf({ bytes, total, version, modifiedMs }: StoreValue, read: TargetRead): StoreValue {
  const size = read.total ?? total;
  return {
    bytes,
    ...(size === undefined ? {} : { total: size }),
    ...(version === undefined ? {} : { version: `${read.digest}.${version}` }),
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
  };
}

/** The version of the file in that of a chunk; undefined if it had another reference. */
function versionIn(version: string | undefined, digest: string): string | undefined {
  return version?.startsWith(`${digest}.`) === true ? version.slice(digest.length + 1) : undefined;
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url');
}

type Source = ReferencesStoreOptions & { readonly parquet: Map<string, ParquetFiles> };

/**
 * Reads the references, unless they are unchanged.
 * @throws NotFoundError if nothing is at the address; MetadataError for other files; store errors
 */
async function openState(source: Source, known: State | undefined): Promise<State> {
  const key = known?.key ?? (source.key === '' ? await keyInArchive(source.files) : source.key);
  const metadataKey = joinKey(key, CONSOLIDATED);
  // Folders of parquet files have any name; what was found once is looked up first.
  const order = (known === undefined ? jsonName.test(key) : known.readKey === key) ? [key, metadataKey] : [metadataKey, key]; // prettier-ignore
  for (const readKey of order.filter((each) => each !== '')) {
    const version = known?.readKey === readKey ? known.version : undefined;
    const found = await readOne(source.files, readKey, version);
    if (found === 'unchanged' && known !== undefined) return known;
    if (found === undefined || found === 'unchanged') continue;
    const state = { key, readKey, version: found.version, readAt: performance.now() };
    if (readKey === key)
      return { ...state, set: await openJsonReferences(await uncompressed(found.bytes), source.base) };
    const parquet = source.parquet.get(key) ?? new ParquetFiles(source.files, key);
    source.parquet.set(key, parquet);
    const context = { templates: new Map<string, string>(), base: source.base };
    return { ...state, set: await openParquetReferences(found.bytes, parquet, context) };
  }
  throw new NotFoundError(NO_REFERENCES);
}

async function readOne(files: KeyStore, key: string, version: string | undefined): Promise<ReadResult> {
  let found: ReadResult;
  const request = version === undefined ? { key } : { key, ifNoneMatch: version };
  const receive = (_: number, result: ReadResult): void => void (found = result);
  await files.getMany([request], receive, { maxBytes: metadataBounds.maxDocumentBytes });
  return found;
}

/** The references in an archive: parquet files at its top, or its only JSON file there. @throws NotFoundError */
async function keyInArchive(files: KeyStore): Promise<string> {
  const { keys } = await files.list('');
  if (keys.includes(CONSOLIDATED)) return '';
  const documents = keys.filter((key) => jsonName.test(key));
  const [only] = documents;
  if (only === undefined || documents.length > 1)
    throw new NotFoundError(
      `the archive has ${documents.length === 0 ? 'neither .zmetadata nor a JSON file' : 'several JSON files'} at its top; write the path of the references in it after its address`,
    );
  return only;
}
