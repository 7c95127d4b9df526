/** numcodecs' `bz2`: one or more bzip2 streams. */
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { decodeBzip2, encodeBzip2 } from '../wasm/bzip2.js';
import { outputSize } from '../wasm/output-size.js';

export interface Bzip2Configuration {
  /** 1 to 9: hundreds of kilobytes of a block. */
  readonly level: number;
}

export const bzip2Codec: BytesToBytesCodec<Bzip2Configuration> = {
  kind: 'bytes-to-bytes',
  name: 'bz2',
  parse: (configuration) => ({
    level: readInteger('bz2', configuration, 'level', { min: 1, max: 9, absent: 1 }),
  }),
  encodedSize: (_configuration, decoded) => compressedBound(decoded),
  decode: (_configuration, bytes, size, into) => decodeBzip2(bytes, outputSize(size), into),
  encode: ({ level }, bytes) => encodeBzip2(bytes, level),
};
