/**
 * `blosc` (v3 core specification, "blosc" codec) and numcodecs' form, in which `shuffle` is a number (-1
 * chooses by element size) and the data type determines the element size.
 *
 * A Blosc buffer is self-describing, so decoding uses none of the options.
 */
import { UnsupportedError } from '../../errors.js';
import type { JsonObject } from '../../bytes/json.js';
import type { BytesToBytesCodec, ChunkRep } from '../codec.js';
import { badOption, readChoice, readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { type BloscOptions, decodeBlosc, encodeBlosc } from '../wasm/blosc.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';

/** Includes snappy, although its compressed buffers cannot be read. */
const compressors = ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd', 'snappy'] as const;
const shuffles = ['noshuffle', 'shuffle', 'bitshuffle'] as const;
type Shuffle = BloscOptions['shuffle'];

export const bloscCodec = createBlosc((configuration, typesize) => {
  if (typeof configuration['shuffle'] === 'number') return readShuffleNumber(configuration, typesize);
  const found = shuffles.indexOf(readChoice('blosc', configuration, 'shuffle', shuffles, 'noshuffle'));
  return found === 2 ? 2 : found === 1 ? 1 : 0;
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
        decode: (bytes, size, into, needed) => decodeBlosc(bytes, outputSize(size), into, needed),
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

/** numcodecs' numbers, which also occur in v3 documents of some writers. */
function readShuffleNumber(configuration: JsonObject, typesize: number): Shuffle {
  const value = configuration['shuffle'] ?? 1;
  if (value === -1) return typesize === 1 ? 2 : 1;
  if (value === 0 || value === 1 || value === 2) return value;
  throw badOption('blosc', 'shuffle', value, '-1, 0, 1 or 2');
}

function elementSize(rep: ChunkRep): number {
  return Math.max(1, rep.dtype.itemSize ?? 1);
}
