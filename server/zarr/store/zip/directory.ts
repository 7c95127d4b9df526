/** The directory of a zip archive as a map from keys to entries (APPNOTE.TXT 6.3.10, section 4.3.12). */
import { isKey } from '../keys.js';
import { contradiction, LOCAL_HEADER_SIZE, readUint64, viewOf } from './end-record.js';
import type { DirectoryPlace } from './end-record.js';
import { decodeName } from './name.js';

export interface ZipEntry {
  /** Offset of the local header from the start of the file, in bytes. */
  readonly offset: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc: number;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly encrypted: boolean;
  /** Size of the name in the directory; usually the same as in the local header. */
  readonly nameLength: number;
  /** Offset of the data; undefined until the local header has been read. */
  dataOffset: number | undefined;
}

const HEADER_SIZE = 46;
const UTF8_FLAG = 0x800;

/**
 * Parses the directory. If several entries have the same name, the last one applies, because appending to
 * an archive keeps old entries. Folders, and names that are invalid keys ("../x", "/x", "a\b"), are
 * omitted.
 * @throws CodecError if it contradicts the end record, or entries are outside the file or overlap
 */
export function parseDirectory(bytes: Uint8Array, place: DirectoryPlace): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  const view = viewOf(bytes);
  const extents: Extents = { starts: [], ends: [], sorted: true };
  let at = 0;
  let count = 0;
  while (at + HEADER_SIZE <= bytes.length) {
    if (view.getUint32(at, true) !== 0x02014b50)
      throw contradiction(`entry ${count} of the directory does not start with its signature`);
    const nameStart = at + HEADER_SIZE;
    const extraStart = nameStart + view.getUint16(at + 28, true);
    const extraEnd = extraStart + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > bytes.length) throw contradiction(`entry ${count} of the directory is truncated`);
    const entry = parseEntry(view, at, extraStart, extraEnd, place);
    addExtent(extents, entry);
    const name = decodeName(bytes, nameStart, extraStart, (view.getUint16(at + 8, true) & UTF8_FLAG) !== 0);
    if (name !== undefined && isKey(name)) entries.set(name, entry);
    at = next;
    count++;
  }
  const counted = place.countIsExact ? count : count & 0xffff;
  if (at !== bytes.length || counted !== place.count)
    throw contradiction(`the directory has ${count} entries, but its end record declares ${place.count}`);
  assertApart(extents, place.offset);
  return entries;
}

function parseEntry(
  view: DataView,
  at: number,
  extraStart: number,
  extraEnd: number,
  place: DirectoryPlace,
): ZipEntry {
  let compressedSize = view.getUint32(at + 20, true);
  let size = view.getUint32(at + 24, true);
  let offset = view.getUint32(at + 42, true);
  if (size === 0xffffffff || compressedSize === 0xffffffff || offset === 0xffffffff) {
    // Zip64: the extra field contains only the fields that do not fit, in this order.
    const reader = wideFields(view, extraStart, extraEnd);
    if (size === 0xffffffff) size = reader() ?? size;
    if (compressedSize === 0xffffffff) compressedSize = reader() ?? compressedSize;
    if (offset === 0xffffffff) offset = reader() ?? offset;
  }
  return {
    offset: offset + place.base,
    compressedSize,
    size,
    crc: view.getUint32(at + 16, true),
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) !== 0,
    nameLength: extraStart - at - HEADER_SIZE,
    dataOffset: undefined,
  };
}

function wideFields(view: DataView, extraStart: number, extraEnd: number): () => number | undefined {
  let at = extraStart;
  let end = extraStart;
  while (end + 4 <= extraEnd) {
    const id = view.getUint16(end, true);
    at = end + 4;
    end = Math.min(extraEnd, at + view.getUint16(end + 2, true));
    if (id === 1) break;
    at = end;
  }
  return () => {
    if (at + 8 > end) return undefined;
    at += 8;
    return readUint64(view, at - 8);
  };
}

interface Extents {
  readonly starts: number[];
  readonly ends: number[];
  sorted: boolean;
}

function addExtent(extents: Extents, entry: ZipEntry): void {
  const last = extents.starts[extents.starts.length - 1];
  if (last !== undefined && entry.offset < last) extents.sorted = false;
  extents.starts.push(entry.offset);
  extents.ends.push(entry.offset + LOCAL_HEADER_SIZE + entry.nameLength + entry.compressedSize);
}

/** Rejects overlapping entries, which could unpack a few megabytes to any amount. */
function assertApart({ starts, ends, sorted }: Extents, directoryOffset: number): void {
  const order = sorted
    ? undefined
    : starts.map((_, at) => at).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  let free = 0;
  for (let place = 0; place < starts.length; place++) {
    const at = order?.[place] ?? place;
    const start = starts[at] ?? 0;
    const end = ends[at] ?? 0;
    if (end > directoryOffset) throw contradiction('an entry overlaps the directory');
    if (start < free) throw contradiction('entries overlap');
    free = end;
  }
}
