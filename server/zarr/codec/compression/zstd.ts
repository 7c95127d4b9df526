/**
 * `zstd` (v3 "zstd" codec; RFC 8878). numcodecs uses the same configuration, but omits `checksum` if it is
 * false.
 */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import { nativeZstd } from '#platform';
import type { ByteSpan, BytesToBytesCodec, Size } from '../codec.js';
import { readBoolean, readInteger } from '../configuration.js';
import { compressedBound, copyInto } from '../size.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';
import { decodeZstd, encodeZstd } from '../wasm/zstd.js';
import { contentSizeOfFrame } from './zstd-frame.js';

const MAX_LEVEL = 22;

/** More memory is allocated only after the checks of the module. */
const MAX_NATIVE_BYTES = 2 ** 26;

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
        decode: (bytes, size, into, needed) =>
          decodeNatively(bytes, size, into, needed) ?? decodeZstd(bytes, outputSize(size), into, needed?.end),
        encode: (bytes) =>
          nativeZstd !== undefined && bytes.length >= nativeZstd.minEncodedBytes
            ? nativeZstd.encode(bytes, options.level, options.checksum)
            : encodeZstd(bytes, options),
      };
    },
  };
}

/**
 * @returns undefined unless the platform decodes the bytes: one complete frame, needed as a whole. The module decodes
 *   others, and reports errors
 */
function decodeNatively(
  bytes: Uint8Array,
  { kind, bytes: length }: Size,
  into: Uint8Array | undefined,
  needed: ByteSpan | undefined,
): Uint8Array | undefined {
  if (nativeZstd === undefined || kind !== 'exact') return undefined;
  if (length < nativeZstd.minDecodedBytes || length > MAX_NATIVE_BYTES) return undefined;
  if (needed !== undefined && needed.end < length) return undefined;
  if (contentSizeOfFrame(bytes) !== length) return undefined;
  const decoded = nativeZstd.decode(bytes, length);
  return decoded?.length === length ? copyInto(decoded, into) : undefined;
}

function readLevel(configuration: JsonObject): number {
  return readInteger('zstd', configuration, 'level', { min: -131_072, max: MAX_LEVEL, absent: 0 });
}

/** numcodecs clamps levels above the highest one, but leaves them in the metadata. */
export function nearestZstdLevel(level: JsonValue): JsonValue {
  return typeof level === 'number' && Number.isInteger(level) ? Math.min(level, MAX_LEVEL) : level;
}
