/** numcodecs' `bz2`: one or more bzip2 streams. */
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { decodeBzip2, encodeBzip2 } from '../wasm/bzip2.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';

export const bzip2Codec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'bz2',
  ...loadingWasm('archive'),
  create(configuration) {
    // Block size in units of 100 kB.
    const level = readInteger('bz2', configuration, 'level', { min: 1, max: 9, absent: 1 });
    return {
      encodedSize: compressedBound,
      decode: (bytes, size, into) => decodeBzip2(bytes, outputSize(size), into),
      encode: (bytes) => encodeBzip2(bytes, level),
    };
  },
};
