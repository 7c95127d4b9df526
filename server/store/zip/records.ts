/** Writes records of a zip archive: stored entries, with Zip64 if necessary (APPNOTE.TXT 6.3.10). */
import { LOCAL_HEADER_SIZE } from './end-record.js';

/** An entry without compression. */
export interface StoredEntry {
  /** Name of the entry in UTF-8, at most 65,535 bytes. */
  readonly name: Uint8Array;
  /** Offset of the local header from the start of the file, in bytes. */
  readonly offset: number;
  readonly size: number;
  readonly crc: number;
}

const WIDE16 = 0xffff;
const WIDE32 = 0xffffffff;
const PLAIN_VERSION = 20;
const WIDE_VERSION = 45;
/** Flag that declares names to be UTF-8. */
const FLAGS = 0x800;
/** The earliest date of the format. It is constant, so that equal objects result in equal archives. */
const FIRST_DAY = 0x21;
const UNIX = 3 << 8;
const REGULAR_FILE = 0o100644 * 0x10000;

/** Length of the local header of an entry in bytes. */
export function localHeaderLength({ name, size }: Pick<StoredEntry, 'name' | 'size'>): number {
  return LOCAL_HEADER_SIZE + name.length + (size >= WIDE32 ? 20 : 0);
}

/**
 * Creates the header before an entry's data (section 4.3.7). Sizes and checksum are known, so no data
 * descriptor follows.
 */
export function localHeader({ name, size, crc }: Pick<StoredEntry, 'name' | 'size' | 'crc'>): Buffer {
  const isWide = size >= WIDE32;
  const header = Buffer.alloc(LOCAL_HEADER_SIZE);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isWide ? WIDE_VERSION : PLAIN_VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(FIRST_DAY, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(Math.min(size, WIDE32), 18);
  header.writeUInt32LE(Math.min(size, WIDE32), 22);
  header.writeUInt16LE(name.length, 26);
  // The Zip64 field of a local header always contains both sizes.
  const extra = isWide ? wideField([size, size]) : Buffer.alloc(0);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

/** Creates an entry of the directory (section 4.3.12). */
export function directoryHeader({ name, offset, size, crc }: StoredEntry): Buffer {
  const extra = wideField([size, size, offset].filter((value) => value >= WIDE32));
  const version = extra.length > 0 ? WIDE_VERSION : PLAIN_VERSION;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(UNIX | version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(FIRST_DAY, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(Math.min(size, WIDE32), 20);
  header.writeUInt32LE(Math.min(size, WIDE32), 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(REGULAR_FILE, 38);
  header.writeUInt32LE(Math.min(offset, WIDE32), 42);
  return Buffer.concat([header, name, extra]);
}

/** Creates the records after the directory (sections 4.3.14 to 4.3.16). */
export function endRecords(directory: { count: number; offset: number; length: number }): Buffer {
  const { count, offset, length } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, WIDE16), 8);
  end.writeUInt16LE(Math.min(count, WIDE16), 10);
  end.writeUInt32LE(Math.min(length, WIDE32), 12);
  end.writeUInt32LE(Math.min(offset, WIDE32), 16);
  if (count < WIDE16 && length < WIDE32 && offset < WIDE32) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  writeUint64(end64, 44, 4); // Number of the following bytes of this record.
  end64.writeUInt16LE(UNIX | WIDE_VERSION, 12);
  end64.writeUInt16LE(WIDE_VERSION, 14);
  for (const [at, value] of [count, count, length, offset].entries()) writeUint64(end64, value, 24 + at * 8);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  writeUint64(locator, offset + length, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

function wideField(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [at, value] of values.entries()) writeUint64(field, value, 4 + at * 8);
  return field;
}

function writeUint64(buffer: Buffer, value: number, at: number): void {
  buffer.writeBigUInt64LE(BigInt(value), at);
}
