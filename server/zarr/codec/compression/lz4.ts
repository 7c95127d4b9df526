/** numcodecs' `lz4`: the decoded size as 4 bytes, little-endian, then one raw LZ4 block. */
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { decodeLz4, encodeLz4 } from '../wasm/lz4.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';

/** LZ4 clamps larger values to this one. */
const MAX_ACCELERATION = 65_537;

export const lz4Codec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'lz4',
  ...loadingWasm('codecs'),
  create(configuration) {
    // 1 is the best compression. LZ4 treats smaller values as 1.
    const bounds = { min: -(2 ** 31), max: 2 ** 31 - 1, absent: 1 };
    const acceleration = Math.min(readInteger('lz4', configuration, 'acceleration', bounds), MAX_ACCELERATION); // prettier-ignore
    return {
      encodedSize: compressedBound,
      decode: (bytes, size, into) => decodeLz4(bytes, outputSize(size), into),
      encode: (bytes) => encodeLz4(bytes, acceleration),
    };
  },
};
