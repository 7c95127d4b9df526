/**
 * Parses the directory of a zip archive to a map from keys to entries (APPNOTE.TXT 6.3.10, section 4.3.12).
 * Decodes names in zip archives: UTF-8 if the flag is set, otherwise the encoding of the writer's system.
 */
import { defined } from '../../../wire/guards.js';
import { decodeUtf8 } from '../../core/bytes/text.js';
import { isKey } from '../keys.js';
import {
  contradiction,
  LOCAL_HEADER_SIZE,
  readUint64,
  viewOf,
  type DirectoryLocation,
} from './end-record.js';

export interface ZipEntry {
  /** Offset of the local header from the start of the file, in bytes. */
  readonly offset: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc: number;
  /** Compression method. 0: stored, 8: deflated. */
  readonly method: number;
  readonly encrypted: boolean;
  /** Length of the name in the directory; usually the same as in the local header. */
  readonly nameLength: number;
  /** Offset of the data; undefined until the local header has been read. */
  dataOffset: number | undefined;
}

const HEADER_SIZE = 46;
const UTF8_FLAG = 0x800;

/**
 * Parses the directory. If several entries have the same name, the last one applies, because appending to an
 * archive keeps old entries. Folders, and names that are invalid keys ("../x", "/x", "a\b"), are omitted.
 * @throws CodecError if the directory contradicts the end record, or if entries overlap or are outside the
 * file
 */
export function parseDirectory(bytes: Uint8Array, location: DirectoryLocation): Map<string, ZipEntry> {
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
    const entry = parseEntry(view, at, extraStart, extraEnd, location);
    addExtent(extents, entry);
    const name = decodeName(bytes, nameStart, extraStart, (view.getUint16(at + 8, true) & UTF8_FLAG) !== 0);
    if (name !== undefined && isKey(name)) entries.set(name, entry);
    at = next;
    count++;
  }
  const counted = location.countIsExact ? count : count & 0xffff;
  if (at !== bytes.length || counted !== location.count)
    throw contradiction(`the directory has ${count} entries, but its end record declares ${location.count}`);
  assertApart(extents, location.offset);
  return entries;
}

function parseEntry(
  view: DataView,
  at: number,
  extraStart: number,
  extraEnd: number,
  location: DirectoryLocation,
): ZipEntry {
  let compressedSize = view.getUint32(at + 20, true);
  let size = view.getUint32(at + 24, true);
  let offset = view.getUint32(at + 42, true);
  if (size === 0xffffffff || compressedSize === 0xffffffff || offset === 0xffffffff) {
    // The extra field of Zip64 contains only the numbers that do not fit into the entry, in this order.
    const reader = wideFields(view, extraStart, extraEnd);
    if (size === 0xffffffff) size = reader() ?? size;
    if (compressedSize === 0xffffffff) compressedSize = reader() ?? compressedSize;
    if (offset === 0xffffffff) offset = reader() ?? offset;
  }
  return {
    offset: offset + location.base,
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

/** Rejects overlapping entries, with which a few megabytes could unpack to any size. */
function assertApart({ starts, ends, sorted }: Extents, directoryOffset: number): void {
  const order = sorted
    ? undefined
    : starts.map((_, at) => at).sort((a, b) => defined(starts[a]) - defined(starts[b]));
  let free = 0;
  for (let i = 0; i < starts.length; i++) {
    const at = order?.[i] ?? i;
    const start = defined(starts[at]);
    const end = defined(ends[at]);
    if (end > directoryOffset) throw contradiction('an entry overlaps the directory');
    if (start < free) throw contradiction('entries overlap');
    free = end;
  }
}

// Code page 437 from 0x80, the specified encoding of entries without the UTF-8 flag.
const CODE_PAGE437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * Decodes the name in `bytes` from `start` to `end`; undefined if it is declared as UTF-8 but invalid.
 * Without the flag, UTF-8 is tried first, because most writers on Unix use it.
 */
function decodeName(bytes: Uint8Array, start: number, end: number, isUtf8: boolean): string | undefined {
  try {
    return decodeUtf8(bytes, start, end);
  } catch {
    if (isUtf8) return undefined;
    return Array.from(bytes.subarray(start, end), (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (CODE_PAGE437[byte - 0x80] ?? ''),
    ).join('');
  }
}
