/** numcodecs' `lz4`: the decoded size as 4 bytes, little-endian, then one raw LZ4 block. */
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { decodeLz4, encodeLz4 } from '../wasm/lz4.js';
import { outputSize } from '../wasm/output-size.js';

export interface Lz4Configuration {
  /** 1 compresses best; below 1 counts as 1. */
  readonly acceleration: number;
}

/** LZ4 takes a larger one for this. */
const MAX_ACCELERATION = 65_537;

export const lz4Codec: BytesToBytesCodec<Lz4Configuration> = {
  kind: 'bytes-to-bytes',
  name: 'lz4',
  parse: (configuration) => {
    const bounds = { min: -(2 ** 31), max: 2 ** 31 - 1, absent: 1 };
    return {
      acceleration: Math.min(readInteger('lz4', configuration, 'acceleration', bounds), MAX_ACCELERATION),
    };
  },
  encodedSize: (_configuration, decoded) => compressedBound(decoded),
  decode: (_configuration, bytes, size, into) => decodeLz4(bytes, outputSize(size), into),
  encode: ({ acceleration }, bytes) => encodeLz4(bytes, acceleration),
};
