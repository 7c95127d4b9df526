/** `gzip` (v3 core specification, "gzip" codec; RFC 1952) and numcodecs' `zlib` (RFC 1950). */
import { deflate } from '#deflate';
import type { BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import type { DeflateFormat } from './deflate.js';
import { compressedBound } from '../size.js';

export interface DeflateConfiguration {
  /** 0 to 9, or -1 for zlib's default. */
  readonly level: number;
}

export const gzipCodec = deflateCodec('gzip', 5);
export const zlibCodec = deflateCodec('zlib', 1);

/** @param level where the metadata name none: zarr-python's and numcodecs' defaults */
function deflateCodec(format: DeflateFormat, level: number): BytesToBytesCodec<DeflateConfiguration> {
  return {
    kind: 'bytes-to-bytes',
    name: format,
    parse: (configuration) => ({
      level: readInteger(format, configuration, 'level', { min: -1, max: 9, absent: level }),
    }),
    encodedSize: (_configuration, decoded) => compressedBound(decoded),
    decode: (_configuration, bytes, size, into) => deflate.inflate(format, bytes, size, into),
    encode: (configuration, bytes) => deflate.deflate(format, bytes, configuration.level),
  };
}
