/**
 * `blosc` (v3 specification of the blosc codec) and numcodecs' form, in which `shuffle` is a number (-1
 * chooses by element size) and the data type determines the element size.
 *
 * A Blosc buffer is self-describing, so decoding uses none of the options.
 */
import type { JsonObject } from '../../../core/bytes/json.js';
import { CodecError, InputError, UnsupportedError } from '../../../core/errors.js';
import type { ByteSpan } from '../../../core/bytes/values.js';
import type { BytesToBytesCodec, ChunkRep, Size } from '../codec.js';
import { badOption, readChoice, readInteger } from '../configuration.js';
import { checkSize, compressedBound, mostBytes } from '../size.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { codecs } from '../../../core/wasm/module.js';
import { cutBlocks, HEADER_BYTES } from './blosc-subset.js';

const VERSION = 2;
/** Maximum decoded size in c-blosc, in bytes. */
const MAX_BYTES = 2 ** 31 - 1 - HEADER_BYTES;
const MAX_TYPESIZE = 255;

/** Names of compressors, with c-blosc's numbers. */
const compressorNumbers = { blosclz: 0, lz4: 1, lz4hc: 2, zlib: 4, zstd: 5 } as const;

type BloscCompressor = keyof typeof compressorNumbers;

interface BloscOptions {
  readonly cname: BloscCompressor;
  /** Compression level, 0 to 9. */
  readonly clevel: number;
  /** Shuffle mode. 0: none, 1: bytes, 2: bits. */
  readonly shuffle: 0 | 1 | 2;
  /** Size of one element in bytes; values above 255 are treated as 1, as in c-blosc. */
  readonly typesize: number;
  /** Size of one block in bytes; 0: chosen by c-blosc. */
  readonly blocksize: number;
}

/**
 * Decodes one Blosc buffer.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid
 * until the next call of a blosc, lz4 or zstd function
 * @param needed the part of the result that is needed; other bytes are unspecified
 * @throws CodecError, LimitError (before memory is allocated)
 */
export function decodeBlosc(
  source: Uint8Array,
  size: Size,
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
      const returned = call.functions.blosc_decode(call.source, stored, result + start, end - start);
      if (returned !== end - start)
        throw new CodecError(
          `codec "blosc": the stored bytes are corrupt (c-blosc returned ${returned}; expected ${end - start} bytes)`,
        );
      return call.copyOut(result, bytes, into, blocks);
    },
    blocks?.head,
  );
}

/** Checks the header and returns the decoded size. */
function checkHeader(source: Uint8Array, size: Size): number {
  mostBytes('blosc', size);
  if (source.length < HEADER_BYTES)
    throw new CodecError(
      `codec "blosc": ${source.length} bytes are stored; expected at least the ${HEADER_BYTES} bytes of the header`,
    );
  const header = new DataView(source.buffer, source.byteOffset, HEADER_BYTES);
  const version = header.getUint8(0);
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
  checkSize('blosc', bytes, size);
  if (bytes > MAX_BYTES)
    throw new CodecError(
      `codec "blosc": the header declares ${bytes} decoded bytes; the format allows ${MAX_BYTES}`,
    );
  if (bytes > 0 && (block === 0 || block > bytes || header.getUint8(3) === 0))
    throw new CodecError(
      `codec "blosc": the header declares an invalid block size of ${block} bytes (element size ${header.getUint8(3)}, decoded size ${bytes})`,
    );
  return bytes;
}

/**
 * Encodes into a new buffer.
 * @throws InputError for options out of range, or more than `MAX_BYTES`
 */
export function encodeBlosc(source: Uint8Array, options: BloscOptions): Uint8Array {
  const { cname, clevel, shuffle, blocksize } = options;
  const typesize = options.typesize > MAX_TYPESIZE ? 1 : options.typesize;
  check('clevel', clevel, 0, 9);
  check('shuffle', shuffle, 0, 2);
  check('typesize', typesize, 1, MAX_TYPESIZE);
  check('blocksize', blocksize, 0, 2 ** 29);
  check('size of the chunk', source.length, 0, MAX_BYTES);
  const compressor = compressorNumbers[cname];
  return codecs.run('blosc', source, (call, source) => {
    const capacity = source.length + HEADER_BYTES;
    const block = call.allocate(capacity);
    const { blosc_encode: encode } = call.functions;
    const returned = encode(
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
    if (returned <= 0)
      throw new CodecError(
        `codec "blosc": encoding ${source.length} bytes failed (c-blosc returned ${returned})`,
      );
    return call.view(block, returned).slice();
  });
}

function check(option: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new InputError(
      `codec "blosc": ${option} is ${value}; expected an integer from ${least} to ${most}`,
    );
}

/** snappy is read only. */
const compressors = ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd', 'snappy'] as const;
const shuffles = ['noshuffle', 'shuffle', 'bitshuffle'] as const;
type Shuffle = BloscOptions['shuffle'];

export const bloscCodec = createBlosc((configuration, typesize) => {
  if (typeof configuration['shuffle'] === 'number') return readShuffleNumber(configuration, typesize);
  const mode = readChoice('blosc', configuration, 'shuffle', shuffles, 'noshuffle');
  return mode === 'bitshuffle' ? 2 : mode === 'shuffle' ? 1 : 0;
});

export const numcodecsBloscCodec = createBlosc(readShuffleNumber);

function createBlosc(
  readShuffle: (configuration: JsonObject, typesize: number) => Shuffle,
): BytesToBytesCodec {
  return {
    kind: 'bytes-to-bytes',
    name: 'blosc',
    ...loadingWasm('codecs'),
    create(configuration, rep) {
      const typesize = readInteger('blosc', configuration, 'typesize', { min: 1, max: 2 ** 31 - 1, absent: elementSize(rep) }); // prettier-ignore
      const cname = readChoice('blosc', configuration, 'cname', compressors, 'lz4');
      const options = {
        clevel: readInteger('blosc', configuration, 'clevel', { min: 0, max: 9, absent: 5 }),
        shuffle: readShuffle(configuration, typesize),
        typesize,
        blocksize: readInteger('blosc', configuration, 'blocksize', { min: 0, max: 2 ** 29, absent: 0 }),
      };
      return {
        encodedSize: compressedBound,
        partialDecode: true,
        decode: decodeBlosc,
        encode(bytes) {
          if (cname === 'snappy')
            throw new UnsupportedError(
              'codec "blosc": compression with snappy is not supported; use "lz4" or "zstd" as "cname"',
            );
          return encodeBlosc(bytes, { cname, ...options });
        },
      };
    },
  };
}

/** Reads numcodecs' numbers for the shuffle mode, which also occur in v3 documents of some writers. */
function readShuffleNumber(configuration: JsonObject, typesize: number): Shuffle {
  const value = configuration['shuffle'] ?? 1;
  if (value === -1) return typesize === 1 ? 2 : 1;
  if (value === 0 || value === 1 || value === 2) return value;
  throw badOption('blosc', 'shuffle', value, '-1, 0, 1 or 2');
}

function elementSize(rep: ChunkRep): number {
  return Math.max(1, rep.dtype.itemSize ?? 1);
}
