/** Reads entries of an open archive. */
import { StoreUnavailableError, withContext } from '../../core/errors.js';
import { assertVersion, atKey, assertObjectSize, resolveRange, type Extent } from '../checks.js';
import type { ReadResult, ReadOptions, ReadRequest } from '../store.js';
import type { ZipEntry } from './directory.js';
import { contradiction, LOCAL_HEADER_SIZE } from './end-record.js';
import { assertUnpackable, parseDataOffset, unpackEntry } from './entry.js';
import { isLargeEntry, unpackLarge } from './large-entry.js';
import type { Archive, ZipSource } from './open-archive.js';

/**
 * Allowance in bytes for extra fields of local headers, so that one request usually covers the whole entry.
 */
const SLACK_BYTES = 64;

/**
 * Maximum size, in bytes, of a deflated entry of which a part is read, unless `maxBytes` is higher. Reading a
 * part requires the whole entry in memory.
 */
const MAX_INFLATED_BYTES = 256 * 2 ** 20;

interface EntryReader {
  readonly label: string;
  readonly source: ZipSource;
  readonly archive: Archive;
  readonly options: ReadOptions | undefined;
}

/** An entry to read: the whole entry or, for stored entries, a part. */
interface EntryRead {
  readonly index: number;
  readonly key: string;
  readonly entry: ZipEntry;
  /** The requested part in the response. */
  readonly part: Extent;
  readonly readsWhole: boolean;
}

/** Reads all requests from one state of the archive: every read requires the file's version. */
export async function readEntries(
  reader: EntryReader,
  requests: readonly ReadRequest[],
  each: (index: number, result: ReadResult) => void,
): Promise<void> {
  const reads: EntryRead[] = [];
  for (const [index, request] of requests.entries()) {
    const read = atKey(reader.label, request.key, () => planRead(reader, index, request));
    if (read === undefined || read === 'unchanged') each(index, read);
    else if (read.part.length === 0 && read.entry.size > 0)
      each(index, toResult(reader, read, new Uint8Array(0)));
    else reads.push(read);
  }
  await findData(
    reader,
    reads.filter((read) => !read.readsWhole && read.entry.dataOffset === undefined),
  );
  const late = await readData(reader, reads, each);
  if (late.length > 0 && (await readData(reader, late, each)).length > 0)
    throw contradiction('an entry is truncated');
}

function planRead(
  reader: EntryReader,
  index: number,
  request: ReadRequest,
): EntryRead | 'unchanged' | undefined {
  const entry = reader.archive.entries.get(request.key);
  const version = entry === undefined ? undefined : entryVersion(reader.archive, entry);
  assertVersion(version, request.ifMatch);
  if (entry === undefined) return undefined;
  if (version !== undefined && version === request.ifNoneMatch) return 'unchanged';
  assertUnpackable(entry);
  const part = resolveRange(request.range, entry.size);
  const maxBytes = reader.options?.maxBytes;
  assertObjectSize(part.length, maxBytes);
  const readsWhole = entry.method !== 0 || part.length === entry.size;
  if (part.length < entry.size && readsWhole)
    assertObjectSize(entry.size, Math.max(maxBytes ?? 0, MAX_INFLATED_BYTES));
  return { index, key: request.key, entry, part, readsWhole };
}

export function entryVersion(archive: Archive, entry: ZipEntry): string | undefined {
  return archive.version === undefined ? undefined : `${archive.version}/${entry.offset}`;
}

/** Reads the local headers of entries, because they determine the start of the data. */
export async function findData(
  reader: EntryReader,
  reads: readonly Pick<EntryRead, 'key' | 'entry'>[],
): Promise<void> {
  if (reads.length === 0) return;
  const ranges = reads.map(({ entry }) => ({ offset: entry.offset, length: LOCAL_HEADER_SIZE }));
  await readRanges(reader, ranges, (at, bytes) => {
    const read = reads[at];
    if (read !== undefined)
      atKey(reader.label, read.key, () => {
        read.entry.dataOffset = parseDataOffset(read.entry, bytes);
      });
  });
}

/** @returns the reads that received too few bytes, because the local header is unusually long */
async function readData(
  reader: EntryReader,
  reads: readonly EntryRead[],
  each: (index: number, result: ReadResult) => void,
): Promise<EntryRead[]> {
  const late: EntryRead[] = [];
  const large: { readonly read: EntryRead; readonly packed: Uint8Array }[] = [];
  const ranges = reads.map(rangeOf);
  await readRanges(reader, ranges, (at, bytes) => {
    const read = reads[at];
    const range = ranges[at];
    if (read === undefined || range === undefined) return;
    const result = atKey(reader.label, read.key, () => finishRead(reader, read, range, bytes));
    if (result === 'late') late.push(read);
    else if (result !== undefined && result !== 'unchanged' && 'packed' in result)
      large.push({ read, packed: result.packed });
    else each(read.index, result);
  });
  for (const { read, packed } of large) {
    try {
      const whole = await unpackLarge(read.entry, packed, reader.options?.signal);
      each(read.index, toResult(reader, read, partOf(whole, read)));
    } catch (error) {
      throw withContext(error, { store: reader.label, key: read.key });
    }
  }
  return late;
}

/** The range to read. It includes the local header if the offset of the data is unknown. */
function rangeOf({ entry, part, readsWhole }: EntryRead): Extent {
  if (entry.dataOffset === undefined)
    return {
      offset: entry.offset,
      length: LOCAL_HEADER_SIZE + entry.nameLength + SLACK_BYTES + entry.compressedSize,
    };
  if (readsWhole) return { offset: entry.dataOffset, length: entry.compressedSize };
  return { offset: entry.dataOffset + part.offset, length: part.length };
}

function finishRead(
  reader: EntryReader,
  read: EntryRead,
  range: Extent,
  bytes: Uint8Array,
): ReadResult | 'late' | { readonly packed: Uint8Array } {
  const { entry, readsWhole } = read;
  entry.dataOffset ??= parseDataOffset(entry, bytes);
  const wanted = rangeOf(read);
  const start = wanted.offset - range.offset;
  const piece = bytes.subarray(start, start + wanted.length);
  if (piece.length < wanted.length) {
    // The local header is longer than expected. The offset is now known, so the rest can be requested.
    if (wanted.offset + wanted.length <= reader.archive.bytes) return 'late';
    throw contradiction('an entry extends past the end of the file');
  }
  if (!readsWhole) return toResult(reader, read, piece);
  if (isLargeEntry(entry)) return { packed: piece };
  return toResult(reader, read, partOf(unpackEntry(entry, piece), read));
}

function partOf(whole: Uint8Array, { part }: EntryRead): Uint8Array {
  return whole.subarray(part.offset, part.offset + part.length);
}

function toResult(reader: EntryReader, { entry }: EntryRead, bytes: Uint8Array): ReadResult {
  const version = entryVersion(reader.archive, entry);
  return { bytes, total: entry.size, ...(version === undefined ? {} : { version }) };
}

async function readRanges(
  { source, archive, options }: EntryReader,
  ranges: readonly Extent[],
  each: (at: number, bytes: Uint8Array) => void,
): Promise<void> {
  const condition = archive.version === undefined ? {} : { ifMatch: archive.version };
  await source.store.getMany(
    ranges.map((range) => ({ key: source.key, range, ...condition })),
    (at, result) => {
      if (result === undefined || result === 'unchanged')
        throw new StoreUnavailableError('the zip archive was deleted while it was being read');
      each(at, result.bytes);
    },
    { signal: options?.signal },
  );
}
