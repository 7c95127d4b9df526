import { deflateRawSync } from 'node:zlib';
import { crc32 } from '@node-rs/crc32';

/** An entry of an archive to build. Fields other than name and bytes are written unchanged, valid or not. */
export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly deflate?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly compressedSize?: number;
  readonly offset?: number;
  /** Length in bytes of an extra field that is only in the local header. */
  readonly localExtra?: number;
  /** Whether sizes and offset are in a Zip64 extra field. */
  readonly wide?: boolean;
}

export interface ZipShape {
  readonly zip64?: boolean;
  readonly comment?: Uint8Array;
  readonly prefix?: Uint8Array;
  readonly count?: number;
  readonly directoryOffset?: number;
  readonly directoryLength?: number;
}

/** Builds valid and hostile zip archives for tests (APPNOTE.TXT 6.3.10, section 4.3). */
export function buildZip(parts: readonly ZipPart[], shape: ZipShape = {}): Uint8Array {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    const name = typeof part.name === 'string' ? Buffer.from(part.name) : part.name;
    const data = part.deflate === true ? deflateRawSync(part.bytes) : part.bytes;
    const method = part.method ?? (part.deflate === true ? 8 : 0);
    const flags = part.flags ?? 0x800;
    const crc = part.crc ?? crc32(part.bytes);
    const size = part.size ?? part.bytes.length;
    const compressedSize = part.compressedSize ?? data.length;
    const extra = Buffer.alloc(part.localExtra ?? 0);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(extra.length, 28);
    const wide = Buffer.alloc(part.wide === true ? 28 : 0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(part.wide === true ? 0xffffffff : compressedSize, 20);
    central.writeUInt32LE(part.wide === true ? 0xffffffff : size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(wide.length, 30);
    central.writeUInt32LE(part.wide === true ? 0xffffffff : (part.offset ?? at), 42);
    if (part.wide === true) {
      wide.writeUInt16LE(1, 0);
      wide.writeUInt16LE(24, 2);
      wide.writeBigUInt64LE(BigInt(size), 4);
      wide.writeBigUInt64LE(BigInt(compressedSize), 12);
      wide.writeBigUInt64LE(BigInt(part.offset ?? at), 20);
    }
    directory.push(central, name, wide);
    pieces.push(local, name, extra, data);
    at += local.length + name.length + extra.length + data.length;
  }
  const central = Buffer.concat(directory);
  const length = shape.directoryLength ?? central.length;
  const offset = shape.directoryOffset ?? at;
  const count = shape.count ?? parts.length;
  const comment = shape.comment ?? new Uint8Array(0);
  const wideEnd = Buffer.alloc(shape.zip64 === true ? 76 : 0);
  if (shape.zip64 === true) {
    wideEnd.writeUInt32LE(0x06064b50, 0);
    wideEnd.writeBigUInt64LE(44n, 4);
    wideEnd.writeBigUInt64LE(BigInt(count), 24);
    wideEnd.writeBigUInt64LE(BigInt(count), 32);
    wideEnd.writeBigUInt64LE(BigInt(length), 40);
    wideEnd.writeBigUInt64LE(BigInt(offset), 48);
    wideEnd.writeUInt32LE(0x07064b50, 56);
    wideEnd.writeBigUInt64LE(BigInt(at + central.length), 64);
    wideEnd.writeUInt32LE(1, 72);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(shape.zip64 === true ? 0xffff : count & 0xffff, 8);
  end.writeUInt16LE(shape.zip64 === true ? 0xffff : count & 0xffff, 10);
  end.writeUInt32LE(shape.zip64 === true ? 0xffffffff : length, 12);
  end.writeUInt32LE(shape.zip64 === true ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([shape.prefix ?? new Uint8Array(0), ...pieces, central, wideEnd, end, comment]);
}
