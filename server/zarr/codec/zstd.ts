/** `zstd` (v3 "zstd" codec; RFC 8878). numcodecs' form is the same; it leaves `checksum` out when it is false. */
import type { BytesToBytesCodec } from './codec.js';
import { readBoolean, readInteger } from './configuration.js';
import { compressedBound } from './size.js';
import { outputSize } from './wasm/output-size.js';
import { decodeZstd, encodeZstd, type ZstdOptions } from './wasm/zstd.js';

export const zstdCodec: BytesToBytesCodec<ZstdOptions> = {
  kind: 'bytes-to-bytes',
  name: 'zstd',
  parse: (configuration) => ({
    level: readInteger('zstd', configuration, 'level', { min: -131_072, max: 22, absent: 0 }),
    checksum: readBoolean('zstd', configuration, 'checksum', false),
  }),
  encodedSize: (_configuration, decoded) => compressedBound(decoded),
  decode: (_configuration, bytes, size, into) => decodeZstd(bytes, outputSize(size), into),
  encode: (configuration, bytes) => encodeZstd(bytes, configuration),
};
