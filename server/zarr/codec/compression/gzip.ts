/** `gzip` (v3 core specification, "gzip" codec; RFC 1952) and numcodecs' `zlib` (RFC 1950). */
import { deflate } from '#deflate';
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import type { DeflateFormat } from './deflate.js';
import { compressedBound } from '../size.js';

export const gzipCodec = deflateCodec('gzip', 5);
export const zlibCodec = deflateCodec('zlib', 1);

/** @param absent default level, as in zarr-python and numcodecs */
function deflateCodec(format: DeflateFormat, absent: number): BytesToBytesCodec {
  return {
    kind: 'bytes-to-bytes',
    name: format,
    create(configuration) {
      // 0 to 9, or -1 for zlib's default.
      const level = readInteger(format, configuration, 'level', { min: -1, max: 9, absent });
      return {
        encodedSize: compressedBound,
        decode: (bytes, size, into) => deflate.inflate(format, bytes, size, into),
        encode: (bytes) => deflate.deflate(format, bytes, level),
      };
    },
  };
}
