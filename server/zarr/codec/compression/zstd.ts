/** `zstd` (v3 "zstd" codec; RFC 8878). numcodecs' form is the same; it leaves `checksum` out when it is false. */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import type { BytesToBytesCodec } from '../codec.js';
import { readBoolean, readInteger } from '../configuration.js';
import { compressedBound } from '../size.js';
import { outputSize } from '../wasm/output-size.js';
import { decodeZstd, encodeZstd, type ZstdOptions } from '../wasm/zstd.js';

const MAX_LEVEL = 22;

export const zstdCodec = createZstd(readLevel);

export const numcodecsZstdCodec = createZstd(({ level = null, ...rest }) =>
  readLevel({ ...rest, level: nearestZstdLevel(level) }),
);

function createZstd(level: (configuration: JsonObject) => number): BytesToBytesCodec<ZstdOptions> {
  return {
    kind: 'bytes-to-bytes',
    name: 'zstd',
    parse: (configuration) => ({
      level: level(configuration),
      checksum: readBoolean('zstd', configuration, 'checksum', false),
    }),
    encodedSize: (_configuration, decoded) => compressedBound(decoded),
    decodesPart: true,
    decode: (_configuration, bytes, size, into, until) => decodeZstd(bytes, outputSize(size), into, until),
    encode: (configuration, bytes) => encodeZstd(bytes, configuration),
  };
}

function readLevel(configuration: JsonObject): number {
  return readInteger('zstd', configuration, 'level', { min: -131_072, max: MAX_LEVEL, absent: 0 });
}

/** numcodecs takes a level above the highest one for that, and leaves it in the metadata. */
export function nearestZstdLevel(level: JsonValue): JsonValue {
  return typeof level === 'number' && Number.isInteger(level) ? Math.min(level, MAX_LEVEL) : level;
}
