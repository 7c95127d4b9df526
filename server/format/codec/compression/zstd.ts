/**
 * `zstd` (v3 "zstd" codec; RFC 8878). numcodecs uses the same configuration, but omits `checksum` if it is false.
 * Zstandard (RFC 8878): any number of concatenated frames, including skippable ones; content checksums are
 * verified.
 */
import { nativeZstd } from '#platform';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { ChecksumError, CodecError, InputError } from '../../../core/errors.js';
import type { ByteSpan } from '../../../core/bytes/values.js';
import type { BytesToBytesCodec, Size } from '../codec.js';
import { readBoolean, readInteger } from '../configuration.js';
import { checkSize, compressedBound, mostBytes, tooLarge } from '../size.js';
import { movedResult } from '../native-result.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { codecs } from '../../../core/wasm/module.js';

/** Codes from zstd_errors.h. The module returns an error as -1 - code. */
const CHECKSUM_WRONG = 22;
const DESTINATION_TOO_SMALL = 70;
/** Returned by the module for frames that do not declare their content size. */
const UNKNOWN_SIZE = -1;
/** Maximum ratio: a block has at least 3 bytes and decodes to at most 128 KiB. */
const MAX_RATIO = 2 ** 17 / 3;

interface ZstdOptions {
  /** Compression level, -131072 to 22; 0 is the default level, 3. */
  readonly level: number;
  /** Whether each frame ends with a checksum of its content. */
  readonly checksum: boolean;
}

/**
 * Decodes all frames.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid
 * until the next call of a blosc, lz4 or zstd function
 * @param until length of the prefix that is needed; later bytes are unspecified. If the frame declares its
 * size and has no checksum, blocks after the prefix are not decoded.
 * @throws ChecksumError, CodecError, LimitError (before memory is allocated, if the frames declare their
 * size)
 */
export function decodeZstd(source: Uint8Array, size: Size, into?: Uint8Array, until = Infinity): Uint8Array {
  const most = mostBytes('zstd', size);
  if (source.length === 0) throw new CodecError('codec "zstd": the chunk is empty (0 bytes)');
  return codecs.run('zstd', source, (call, source) => {
    const {
      zstd_content_size: contentSize,
      zstd_decode_bound: decodeBound,
      zstd_decode: decode,
      zstd_decode_until: decodeUntil,
    } = call.functions;
    const claimed = contentSize(call.source, source.length);
    const bound = claimed === UNKNOWN_SIZE ? decodeBound(call.source, source.length) : claimed;
    if (bound < 0) throw new CodecError('codec "zstd": the stored bytes are not complete Zstandard frames');
    if (claimed >= 0) checkSize('zstd', claimed, size);
    if (claimed > source.length * MAX_RATIO)
      throw new CodecError(
        `codec "zstd": the header declares ${claimed} decoded bytes, more than ${source.length} bytes can hold`,
      );
    const capacity = Math.min(bound, most);
    const block = call.allocateIn(into, capacity);
    const isPart = until < claimed;
    const got = isPart
      ? decodeUntil(call.source, source.length, block, capacity, until)
      : decode(call.source, source.length, block, capacity);
    if (got < 0) {
      const code = -1 - got;
      if (code === CHECKSUM_WRONG)
        throw new ChecksumError('codec "zstd": the data does not match the checksum of its frame');
      if (code === DESTINATION_TOO_SMALL && claimed < 0 && bound > most) throw tooLarge('zstd', size);
      throw new CodecError(`codec "zstd": the stored bytes are corrupt (zstd error ${code})`);
    }
    if (isPart && got >= until) return call.copyOut(block, claimed, into, { start: 0, end: until });
    checkSize('zstd', got, size);
    return call.copyOut(block, got, into);
  });
}

/**
 * Encodes as one frame that declares its content size.
 * @throws InputError for a level out of range
 */
export function encodeZstd(source: Uint8Array, { level, checksum }: ZstdOptions): Uint8Array {
  return codecs.run('zstd', source, (call, source) => {
    const { zstd_min_level: minLevel, zstd_bound: encodeBound, zstd_encode: encode } = call.functions;
    const least = minLevel();
    if (!Number.isInteger(level) || level < least || level > 22)
      throw new InputError(`codec "zstd": level is ${level}; expected an integer from ${least} to 22`);
    const capacity = encodeBound(source.length);
    const block = call.allocate(capacity);
    const got = encode(call.source, source.length, block, capacity, level, checksum ? 1 : 0);
    if (got < 0)
      throw new CodecError(`codec "zstd": encoding ${source.length} bytes failed (zstd error ${-1 - got})`);
    return call.view(block, got).slice();
  });
}

const MAGIC = 0xfd2fb528;
const SIZE_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const BLOCK_HEADER_BYTES = 3;
const REPEATED_BYTE = 1;
const RESERVED = 3;

/**
 * @returns the content size that the frame declares; undefined if it declares none, and if the bytes are not exactly
 *   one frame without a dictionary
 */
export function contentSizeOfFrame(bytes: Uint8Array): number | undefined {
  if (bytes.length < 9) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : SIZE_BYTES[sizeFlag];
  if (view.getUint32(0, true) !== MAGIC || sizeBytes === 0 || DICTIONARY_BYTES[descriptor & 3] !== 0)
    return undefined;
  const sizeAt = 5 + (isSingleSegment ? 0 : 1);
  let at = sizeAt + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + BLOCK_HEADER_BYTES > bytes.length) return undefined;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    if (type === RESERVED) return undefined;
    isLast = (header & 1) === 1;
    at += BLOCK_HEADER_BYTES + (type === REPEATED_BYTE ? 1 : header >> 3);
  }
  if (at + ((descriptor & 4) === 0 ? 0 : 4) !== bytes.length) return undefined;
  switch (sizeBytes) {
    case 1:
      return view.getUint8(sizeAt);
    case 2:
      return view.getUint16(sizeAt, true) + 256;
    case 4:
      return view.getUint32(sizeAt, true);
    case 8:
      return Number(view.getBigUint64(sizeAt, true));
  }
}

const MAX_LEVEL = 22;

/** Larger chunks are decoded by the WebAssembly module, which checks the frame before it allocates memory. */
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
          decodeNatively(bytes, size, into, needed) ?? decodeZstd(bytes, size, into, needed?.end),
        encode: (bytes) =>
          nativeZstd !== undefined && bytes.length >= nativeZstd.minEncodedBytes
            ? nativeZstd.encode(bytes, options.level, options.checksum)
            : encodeZstd(bytes, options),
      };
    },
  };
}

/**
 * @returns undefined unless the platform decodes the bytes: one complete frame that is needed up to
 *   its end. The module decodes others, and reports errors
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
  return decoded?.length === length ? movedResult(decoded, bytes, into) : undefined;
}

function readLevel(configuration: JsonObject): number {
  return readInteger('zstd', configuration, 'level', { min: -131_072, max: MAX_LEVEL, absent: 0 });
}

/** The level that applies. numcodecs clamps levels above the highest one, but leaves them in the metadata. */
export function nearestZstdLevel(level: JsonValue): JsonValue {
  return typeof level === 'number' && Number.isInteger(level) ? Math.min(level, MAX_LEVEL) : level;
}
