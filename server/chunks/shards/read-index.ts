/**
 * Reads entries of shard indexes: the whole index, or only the pages with the entries if the index has no
 * checksum and is large. The memory of all indexes that the process reads at the same time is limited.
 */
import { defined } from '../../../wire/guards.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import { CodecError, ConflictError } from '../../core/errors.js';
import { createBytePermits } from '../../store/byte-permits.js';
import type { ReadOptions, ReadRequest, ReadResult, Store, StoreValue } from '../../store/store.js';
import { INDEX_PAGE_BYTES, indexCost, readsPages } from '../../format/codec/sharding/index-cost.js';
import {
  ENTRY_BYTES,
  type IndexEntry,
  readEntry,
  type ShardIndex,
} from '../../format/codec/sharding/shard-index.js';
import { parseShardIndexInTurns } from './parse-in-turns.js';

/** Location of a shard: a whole object, or a part of one. */
export interface ShardLocation {
  readonly key: string;
  readonly part: { readonly offset: number; readonly length: number } | undefined;
}

interface EntriesRead {
  /** Entries by number; entries of empty inner chunks are omitted. */
  readonly entries: ReadonlyMap<number, IndexEntry>;
  readonly version: string | undefined;
  /** The whole index if it was read. */
  readonly index: ShardIndex | undefined;
}

/** Conditions on the version of a shard. At most one of the two is set. */
type VersionCondition = Pick<ReadRequest, 'ifMatch' | 'ifNoneMatch'>;

/** Maximum memory of shard indexes, in bytes, for all reads of the process. */
const MAX_HELD_BYTES = 64 * 2 ** 20;
const permits = createBytePermits(MAX_HELD_BYTES);

interface IndexRead {
  readonly base: Store;
  readonly spec: ShardSpec;
  readonly location: ShardLocation;
  /** Numbers of the requested entries, without duplicates. */
  readonly entries: readonly number[];
  readonly condition: VersionCondition;
  readonly options: ReadOptions | undefined;
}

/** Result of reading entries: 'unchanged' only for `ifNoneMatch`; undefined if the object does not exist. */
type EntriesResult = EntriesRead | 'unchanged' | undefined;

/**
 * @throws CodecError or ChecksumError for an invalid index; ConflictError if the shard changes; store errors
 */
export function readIndexEntries(read: IndexRead): Promise<EntriesResult> {
  const { spec, entries, options } = read;
  return permits.withPermits(indexCost(spec, 1, entries.length).bytes, options?.signal, () =>
    readsPages(spec, entries.length) ? readPages(read) : readWhole(read),
  );
}

async function readWhole(read: IndexRead): Promise<EntriesResult> {
  const { base, spec, location, entries, condition, options } = read;
  const range =
    location.part === undefined && spec.indexLocation === 'end'
      ? { suffix: spec.indexBytes }
      : { offset: indexStart(spec, location.part), length: spec.indexBytes };
  const result = await readOne(base, { key: location.key, range, ...condition }, options);
  if (result === undefined || result === 'unchanged') return result;
  if (result.bytes.length !== spec.indexBytes)
    throw tooShort(spec, result.total ?? result.bytes.length, location.key);
  const shardBytes = location.part?.length ?? result.total;
  const index = await parseShardIndexInTurns(spec, result.bytes, shardBytes, options?.signal);
  return { entries: entriesOf(index, entries), version: result.version, index };
}

/**
 * The requested entries of an index in memory.
 * @throws CodecError for an entry that points outside the shard
 */
export function entriesOf(index: ShardIndex, entries: readonly number[]): Map<number, IndexEntry> {
  const found = new Map<number, IndexEntry>();
  for (const i of entries) {
    const entry = index.entry(i);
    if (entry !== undefined) found.set(i, entry);
  }
  return found;
}

async function readPages(read: IndexRead): Promise<EntriesResult> {
  const { base, spec, location, entries, condition, options } = read;
  const { key } = location;
  let { part } = location;
  let version = condition.ifMatch;
  if (part === undefined) {
    // Reads a few bytes to determine the length and version of the object.
    const probe = await readOne(base, { key, range: { suffix: ENTRY_BYTES }, ...condition }, options);
    if (probe === undefined || probe === 'unchanged') return probe;
    if (probe.total === undefined) return readWhole(read);
    if (probe.total < spec.indexBytes) throw tooShort(spec, probe.total, key);
    part = { offset: 0, length: probe.total };
    version = probe.version;
  }
  const shardBytes = part.length;
  const start = indexStart(spec, part);
  const pages = [...new Set(entries.map((i) => Math.floor((i * ENTRY_BYTES) / INDEX_PAGE_BYTES)))];
  const views = new Map<number, DataView>();
  await base.getMany(
    pages.map((page) => ({
      key,
      range: { offset: start + page * INDEX_PAGE_BYTES, length: pageLength(spec, page) },
      ...(version === undefined ? {} : { ifMatch: version }),
    })),
    (at, result) => {
      const page = defined(pages[at]);
      const { bytes } = present(result, key);
      if (bytes.length !== pageLength(spec, page)) throw tooShort(spec, shardBytes, key);
      views.set(page, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
    { signal: options?.signal },
  );
  const found = new Map<number, IndexEntry>();
  for (const i of entries) {
    const at = i * ENTRY_BYTES;
    const view = views.get(Math.floor(at / INDEX_PAGE_BYTES));
    const entry = view === undefined ? undefined : readEntry(view, i, at % INDEX_PAGE_BYTES, 8, shardBytes);
    if (entry !== undefined) found.set(i, entry);
  }
  return { entries: found, version, index: undefined };
}

function pageLength(spec: ShardSpec, page: number): number {
  return Math.min(INDEX_PAGE_BYTES, spec.indexBytes - page * INDEX_PAGE_BYTES);
}

function indexStart(spec: ShardSpec, part: ShardLocation['part']): number {
  if (part === undefined) return 0;
  return spec.indexLocation === 'end' ? part.offset + part.length - spec.indexBytes : part.offset;
}

function tooShort(spec: ShardSpec, length: number, key: string): CodecError {
  return new CodecError(`the shard has ${length} bytes, fewer than its index of ${spec.indexBytes}`, {
    where: { key },
  });
}

/** @throws ConflictError if the object has been deleted since an earlier request */
export function present(result: ReadResult, key: string): StoreValue {
  if (result === undefined || result === 'unchanged')
    throw new ConflictError('the shard was deleted while it was being read; try again', { where: { key } });
  return result;
}

async function readOne(
  base: Store,
  request: ReadRequest,
  options: ReadOptions | undefined,
): Promise<ReadResult> {
  let result: ReadResult;
  // Indexes have a separate limit (`assertIndexSize`); the caller's limits apply to chunks.
  await base.getMany([request], (_, read) => (result = read), { signal: options?.signal });
  return result;
}
