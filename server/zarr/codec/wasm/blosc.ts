/**
 * Blosc 1 (c-blosc's README_CHUNK_FORMAT; numcodecs' "blosc"). The header of 16 bytes: version, version of
 * the compressor, flags, typesize, then as little-endian uint32: decoded bytes, block bytes, total bytes.
 */
import { CodecError, InputError, UnsupportedError } from '../../errors.js';
import type { ByteSpan } from '../codec.js';
import { cutBlocks } from './blosc-blocks.js';
import { codecs } from './modules.js';
import { checkBytes, mostBytes, type OutputSize } from './output-size.js';

const HEADER_BYTES = 16;
const VERSION = 2;
/** Flag: the data is stored uncompressed. */
const COPIED = 2;
const SNAPPY = 2;
/** Maximum of decoded bytes in c-blosc. */
const MAX_BYTES = 2 ** 31 - 1 - HEADER_BYTES;
const MAX_TYPESIZE = 255;

/** Names of compressors, with c-blosc's numbers. */
const compressors = { blosclz: 0, lz4: 1, lz4hc: 2, zlib: 4, zstd: 5 } as const;

export type BloscCompressor = keyof typeof compressors;

export interface BloscOptions {
  readonly cname: BloscCompressor;
  /** 0 to 9. */
  readonly clevel: number;
  /** 0: none, 1: bytes, 2: bits. */
  readonly shuffle: 0 | 1 | 2;
  /** Bytes of one element; values above 255 are treated as 1, as in c-blosc. */
  readonly typesize: number;
  /** Bytes of one block; 0: chosen by c-blosc. */
  readonly blocksize: number;
}

/**
 * Decodes one Blosc buffer.
 * @param into if given, the result is copied to its start; otherwise the result is a view that is valid
 * until the next call of a blosc, lz4 or zstd function
 * @param needed the part of the result that is needed; other bytes are unspecified
 * @throws UnsupportedError for snappy, CodecError, LimitError (before memory is allocated)
 */
export function decodeBlosc(
  source: Uint8Array,
  size: OutputSize,
  into?: Uint8Array,
  needed?: ByteSpan,
): Uint8Array {
  const bytes = checkHeader(source, size);
  const blocks = needed === undefined ? undefined : cutBlocks(source, needed);
  const { start, end } = blocks ?? { start: 0, end: bytes };
  return codecs.run(
    'blosc',
    blocks?.data ?? source,
    (call, data) => {
      const stored = (blocks?.head.length ?? 0) + data.length;
      const result = call.allocate(bytes);
      const got = call.functions.blosc_decode(call.source, stored, result + start, end - start);
      if (got !== end - start)
        throw new CodecError(
          `codec "blosc": the stored bytes are corrupt (c-blosc returned ${got}; expected ${end - start} bytes)`,
        );
      return call.copyOut(result, bytes, into, blocks);
    },
    blocks?.head,
  );
}

/** Checks the header and returns the decoded size. */
function checkHeader(source: Uint8Array, size: OutputSize): number {
  mostBytes('blosc', size);
  if (source.length < HEADER_BYTES)
    throw new CodecError(
      `codec "blosc": ${source.length} bytes are stored; expected at least the ${HEADER_BYTES} bytes of the header`,
    );
  const header = new DataView(source.buffer, source.byteOffset, HEADER_BYTES);
  const version = header.getUint8(0);
  const flags = header.getUint8(2);
  const bytes = header.getUint32(4, true);
  const block = header.getUint32(8, true);
  const stored = header.getUint32(12, true);
  if (version !== VERSION)
    throw new CodecError(
      `codec "blosc": unsupported format version ${version} in the header; expected ${VERSION}`,
    );
  if (stored !== source.length)
    throw new CodecError(
      `codec "blosc": the header declares ${stored} stored bytes, but the chunk has ${source.length}`,
    );
  checkBytes('blosc', bytes, size);
  if (bytes > MAX_BYTES)
    throw new CodecError(
      `codec "blosc": the header declares ${bytes} decoded bytes; the format allows ${MAX_BYTES}`,
    );
  if (bytes > 0 && (block === 0 || block > bytes || header.getUint8(3) === 0))
    throw new CodecError(
      `codec "blosc": the header declares an invalid block size of ${block} bytes (element size ${header.getUint8(3)}, decoded size ${bytes})`,
    );
  if (flags >> 5 === SNAPPY && (flags & COPIED) === 0)
    throw new UnsupportedError(
      'codec "blosc": unsupported compressor snappy; store the data with lz4 or zstd',
    );
  return bytes;
}

/**
 * Encodes into a new buffer.
 * @throws InputError for options out of range, or more than 2 GiB
 */
export function encodeBlosc(source: Uint8Array, options: BloscOptions): Uint8Array {
  const { cname, clevel, shuffle, blocksize } = options;
  const typesize = options.typesize > MAX_TYPESIZE ? 1 : options.typesize;
  check('clevel', clevel, 0, 9);
  check('shuffle', shuffle, 0, 2);
  check('typesize', typesize, 1, MAX_TYPESIZE);
  check('blocksize', blocksize, 0, 2 ** 29);
  check('size of the chunk', source.length, 0, MAX_BYTES);
  const compressor = compressors[cname];
  return codecs.run('blosc', source, (call, source) => {
    const capacity = source.length + HEADER_BYTES;
    const block = call.allocate(capacity);
    const { blosc_encode: encode } = call.functions;
    const got = encode(
      call.source,
      source.length,
      block,
      capacity,
      compressor,
      clevel,
      shuffle,
      typesize,
      blocksize,
    );
    if (got <= 0)
      throw new CodecError(`codec "blosc": encoding ${source.length} bytes failed (c-blosc returned ${got})`);
    return call.view(block, got).slice();
  });
}

function check(option: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new InputError(
      `codec "blosc": ${option} is ${value}; it must be an integer from ${least} to ${most}`,
    );
}
