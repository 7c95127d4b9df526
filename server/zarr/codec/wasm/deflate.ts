/**
 * gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951) by libdeflate. Headers and checksums are read here, so
 * that a CRC-32 faster than the module's can be put in: node:zlib's is three times as fast (Node 20.15 and later), and
 * with it this is the fastest way to read gzip.
 */
import { ChecksumError, CodecError, InputError } from '../../errors.js';
import { skipGzipHeader } from './gzip-header.js';
import { codecs } from './hosts.js';
import { checkBytes, mostBytes, type OutputSize, overflow } from './output-size.js';

type DeflateCall = Parameters<Parameters<typeof codecs.run>[2]>[0];

/** CRC-32 as in gzip; the signature is node:zlib's. */
export type Crc32 = (bytes: Uint8Array) => number;

/** A byte of deflate makes at most this many. */
const MAX_RATIO = 1032;
const GZIP_TRAILER_BYTES = 8;
const ZLIB_HEADER_BYTES = 2;
const ZLIB_TRAILER_BYTES = 4;
/** libdeflate_result. */
const NO_ROOM = 3;

/**
 * Decodes all members of a gzip file in a row. Bytes behind a member that do not begin with 0x1f are padding.
 * @param into if given, the result is copied to its start; else the result is a view that lives until the next call
 *   of any function of blosc, lz4, zstd or deflate here
 * @param crc32 in place of the module's own; it must not call the module
 * @throws ChecksumError, CodecError, LimitError
 */
export function decodeGzip(
  source: Uint8Array,
  size: OutputSize,
  into?: Uint8Array,
  crc32?: Crc32,
): Uint8Array {
  const most = mostBytes('gzip', size);
  return codecs.run('gzip', source, (call, source) => {
    const room = new Room(call, 'gzip', size, Math.min(most, guess(source, lastUint32(source))));
    const headerCrc = (bytes: Uint8Array) => call.functions.crc32(0, call.place(bytes), bytes.length) >>> 0;
    let at = 0;
    do {
      at = skipGzipHeader(source, at, crc32 ?? headerCrc);
      const start = room.used;
      at += room.inflate(at, source.length);
      if (source.length - at < GZIP_TRAILER_BYTES) throw truncated('gzip');
      const made = room.used - start;
      const got =
        crc32?.(call.view(room.block + start, made)) ?? call.functions.crc32(0, room.block + start, made);
      const trailer = new DataView(source.buffer, source.byteOffset + at, GZIP_TRAILER_BYTES);
      if (got >>> 0 !== trailer.getUint32(0, true)) throw mismatch('gzip');
      if (made % 2 ** 32 !== trailer.getUint32(4, true))
        throw new CodecError(
          `codec "gzip": a member decodes to ${made} bytes, its trailer says another size`,
        );
      at += GZIP_TRAILER_BYTES;
    } while (source[at] === 0x1f);
    checkBytes('gzip', room.used, size);
    return call.deliver(room.block, room.used, into);
  });
}

/**
 * Decodes one zlib stream; bytes behind it are ignored, as zlib does.
 * @param into as for `decodeGzip`
 * @throws ChecksumError, CodecError (also where a preset dictionary is asked for), LimitError
 */
export function decodeZlib(source: Uint8Array, size: OutputSize, into?: Uint8Array): Uint8Array {
  const most = mostBytes('zlib', size);
  if (source.length < ZLIB_HEADER_BYTES) throw truncated('zlib');
  const header = ((source[0] ?? 0) << 8) | (source[1] ?? 0);
  if ((header & 0x0f00) !== 0x0800 || header >> 12 > 7 || header % 31 !== 0 || (header & 0x20) !== 0)
    throw new CodecError('codec "zlib": the stored bytes do not begin with a zlib header');
  return codecs.run('zlib', source, (call, source) => {
    const room = new Room(call, 'zlib', size, Math.min(most, guess(source)));
    const at = ZLIB_HEADER_BYTES + room.inflate(ZLIB_HEADER_BYTES, source.length);
    if (source.length - at < ZLIB_TRAILER_BYTES) throw truncated('zlib');
    const stored = new DataView(source.buffer, source.byteOffset + at, ZLIB_TRAILER_BYTES).getUint32(0);
    if (call.functions.adler32(1, room.block, room.used) >>> 0 !== stored) throw mismatch('zlib');
    checkBytes('zlib', room.used, size);
    return call.deliver(room.block, room.used, into);
  });
}

/**
 * Decodes raw deflate, which has neither size nor checksum; bytes behind it are ignored.
 * @param into as for `decodeGzip`
 * @throws CodecError, LimitError
 */
export function inflateRaw(source: Uint8Array, size: OutputSize, into?: Uint8Array): Uint8Array {
  const most = mostBytes('deflate', size);
  return codecs.run('deflate', source, (call, source) => {
    const room = new Room(call, 'deflate', size, Math.min(most, guess(source)));
    room.inflate(0, source.length);
    checkBytes('deflate', room.used, size);
    return call.deliver(room.block, room.used, into);
  });
}

/**
 * Encodes into a buffer of its own, one member without name and time.
 * @param level 0 to 9, or -1 for 6
 * @throws InputError for another level
 */
export function encodeGzip(source: Uint8Array, level: number): Uint8Array {
  return encode('gzip', source, level);
}

/** As `encodeGzip`, one zlib stream. */
export function encodeZlib(source: Uint8Array, level: number): Uint8Array {
  return encode('zlib', source, level);
}

function encode(format: 'gzip' | 'zlib', source: Uint8Array, level: number): Uint8Array {
  if (!Number.isInteger(level) || level < -1 || level > 9)
    throw new InputError(`codec "${format}": level is ${level}, it must be an integer from -1 to 9`);
  const used = level === -1 ? 6 : level;
  return codecs.run(format, source, (call, source) => {
    const room = call.functions[`${format}_bound`](used, source.length) >>> 0;
    const block = call.allocate(room);
    const got = call.functions[`${format}_encode`](used, call.source, source.length, block, room) >>> 0;
    if (got === 0) throw new CodecError(`codec "${format}": ${source.length} bytes could not be encoded`);
    return call.view(block, got).slice();
  });
}

/** Decoded bytes of one or more deflate streams, in room that grows where the size is only a limit. */
class Room {
  block: number;
  used = 0;
  #length: number;
  readonly #call: DeflateCall;
  readonly #codec: string;
  readonly #size: OutputSize;

  constructor(call: DeflateCall, codec: string, size: OutputSize, first: number) {
    this.#call = call;
    this.#codec = codec;
    this.#size = size;
    this.#length = 'exact' in size ? mostBytes(codec, size) : first;
    this.block = call.allocate(this.#length);
  }

  /** Decodes the stream in source[at, end) and returns how many bytes it takes. */
  inflate(at: number, end: number): number {
    const { inflate, inflate_used: bytesUsed, inflate_made: bytesMade } = this.#call.functions;
    for (;;) {
      const from = this.#call.source + at;
      const status = inflate(from, end - at, this.block + this.used, this.#length - this.used);
      if (status === 0) break;
      if (status !== NO_ROOM)
        throw new CodecError(`codec "${this.#codec}": the stored bytes are corrupt or end too early`);
      this.#grow();
    }
    this.used += bytesMade() >>> 0;
    return bytesUsed() >>> 0;
  }

  /** libdeflate cannot go on where it stopped, so a stream is begun again: few steps, large ones. */
  #grow(): void {
    const most = mostBytes(this.#codec, this.#size);
    if (this.#length >= most) throw overflow(this.#codec, this.#size);
    this.#length = Math.min(most, Math.max(4 * this.#length, 2 ** 16));
    this.block = this.#call.resize(this.block, this.#length);
  }
}

/** A first room where only a limit is known: what a gzip trailer says if it can be true, else four times the source. */
function guess(source: Uint8Array, trailer = 0): number {
  return trailer > 0 && trailer <= source.length * MAX_RATIO ? trailer : source.length * 4;
}

function lastUint32(source: Uint8Array): number {
  if (source.length < GZIP_TRAILER_BYTES) return 0;
  return new DataView(source.buffer, source.byteOffset + source.length - 4, 4).getUint32(0, true);
}

function truncated(codec: string): CodecError {
  return new CodecError(`codec "${codec}": the stored bytes end before the stream does`);
}

function mismatch(codec: string): ChecksumError {
  return new ChecksumError(`codec "${codec}": the data do not match the checksum in their trailer`);
}
