/**
 * Zstandard (RFC 8878): any number of concatenated frames, including skippable ones; content checksums are
 * verified.
 */
import { ChecksumError, CodecError, InputError } from '../../errors.js';
import { codecs } from './modules.js';
import { checkBytes, mostBytes, type OutputSize, overflow } from './output-size.js';

/** From zstd_errors.h. The module returns an error as -1 - code. */
const CHECKSUM_WRONG = 22;
const ROOM_TOO_SMALL = 70;
const UNKNOWN_SIZE = -1;
/** Maximum ratio: a block has at least 3 bytes and decodes to at most 128 KiB. */
const MAX_RATIO = 2 ** 17 / 3;

export interface ZstdOptions {
  /** -131072 to 22; 0 is the default level, 3. */
  readonly level: number;
  /** Whether each frame ends with a checksum of its content. */
  readonly checksum: boolean;
}

/**
 * Decodes all frames.
 * @param into if given, the result is copied to its start; otherwise the result is a view that is valid
 * until the next call of a blosc, lz4 or zstd function
 * @param until length of the prefix that is needed; later bytes are unspecified. If the frame declares its
 * size and has no checksum, blocks after the prefix are not decoded.
 * @throws ChecksumError, CodecError, LimitError (before memory is allocated, if the frames declare their
 * size)
 */
export function decodeZstd(
  source: Uint8Array,
  size: OutputSize,
  into?: Uint8Array,
  until = Infinity,
): Uint8Array {
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
    if (claimed >= 0) checkBytes('zstd', claimed, size);
    if (claimed > source.length * MAX_RATIO)
      throw new CodecError(
        `codec "zstd": the header declares ${claimed} decoded bytes, more than ${source.length} bytes can hold`,
      );
    const capacity = Math.min(bound, most);
    const block = call.allocate(capacity);
    const isPart = until < claimed;
    const got = isPart
      ? decodeUntil(call.source, source.length, block, capacity, until)
      : decode(call.source, source.length, block, capacity);
    if (got < 0) {
      const code = -1 - got;
      if (code === CHECKSUM_WRONG)
        throw new ChecksumError('codec "zstd": the data does not match the checksum of its frame');
      if (code === ROOM_TOO_SMALL && claimed < 0 && bound > most) throw overflow('zstd', size);
      throw new CodecError(`codec "zstd": the stored bytes are corrupt (zstd error ${code})`);
    }
    if (isPart && got >= until) return call.copyOut(block, claimed, into, { start: 0, end: until });
    checkBytes('zstd', got, size);
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
      throw new InputError(`codec "zstd": level is ${level}; it must be an integer from ${least} to 22`);
    const capacity = encodeBound(source.length);
    const block = call.allocate(capacity);
    const got = encode(call.source, source.length, block, capacity, level, checksum ? 1 : 0);
    if (got < 0)
      throw new CodecError(`codec "zstd": encoding ${source.length} bytes failed (zstd error ${-1 - got})`);
    return call.view(block, got).slice();
  });
}
