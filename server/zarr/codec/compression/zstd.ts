/**
 * `zstd` (v3 "zstd" codec; RFC 8878). numcodecs uses the same configuration, but omits `checksum` if it is
 * false.
 */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import type { BytesToBytesCodec } from '../codec.js';
import { readBoolean, readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';
import { decodeZstd, encodeZstd } from '../wasm/zstd.js';

const MAX_LEVEL = 22;

export const zstdCodec = createZstd(readLevel);

export const numcodecsZstdCodec = createZstd(({ level = null, ...rest }) =>
  readLevel({ ...rest, level: nearestZstdLevel(level) }),
);

function createZstd(level: (configuration: JsonObject) => number): BytesToBytesCodec {
  return {
    kind: 'bytes-to-bytes',
    name: 'zstd',
    ...loadingWasm('codecs'),
    create(configuration) {
      const options = {
        level: level(configuration),
        checksum: readBoolean('zstd', configuration, 'checksum', false),
      };
      return {
        encodedSize: compressedBound,
        partialDecode: true,
        decode: (bytes, size, into, needed) => decodeZstd(bytes, outputSize(size), into, needed?.end),
        encode: (bytes) => encodeZstd(bytes, options),
      };
    },
  };
}

function readLevel(configuration: JsonObject): number {
  return readInteger('zstd', configuration, 'level', { min: -131_072, max: MAX_LEVEL, absent: 0 });
}

/** numcodecs clamps levels above the highest one, but leaves them in the metadata. */
export function nearestZstdLevel(level: JsonValue): JsonValue {
  return typeof level === 'number' && Number.isInteger(level) ? Math.min(level, MAX_LEVEL) : level;
}
