/** numcodecs' `lz4`: the decoded size as 4 bytes, little-endian, then one raw LZ4 block. */
import { CodecError, InputError } from '../../../core/errors.js';
import type { BytesToBytesCodec, Size } from '../codec.js';
import { readInteger } from '../configuration.js';
import { checkSize, compressedBound, mostBytes } from '../size.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { codecs } from '../../../core/wasm/module.js';

const PREFIX_BYTES = 4;
/** Maximum size of a block in bytes: LZ4_MAX_INPUT_SIZE. */
const MAX_BYTES = 0x7e000000;
/**
 * Maximum ratio: a byte of a match's length represents at most 255 bytes; other parts of a block are less
 * dense.
 */
const MAX_RATIO = 255;

/**
 * Decodes one LZ4 block.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid
 * until the next call of a blosc, lz4 or zstd function
 * @throws CodecError for an invalid block; LimitError for a result larger than `size`, before memory is
 * allocated
 */
export function decodeLz4(source: Uint8Array, size: Size, into?: Uint8Array): Uint8Array {
  mostBytes('lz4', size);
  if (source.length <= PREFIX_BYTES)
    throw new CodecError(
      `codec "lz4": ${source.length} bytes are stored; expected at least ${PREFIX_BYTES + 1}`,
    );
  const bytes = new DataView(source.buffer, source.byteOffset, PREFIX_BYTES).getUint32(0, true);
  const stored = source.length - PREFIX_BYTES;
  checkSize('lz4', bytes, size);
  if (bytes > MAX_BYTES || bytes > stored * MAX_RATIO)
    throw new CodecError(
      `codec "lz4": the header declares ${bytes} decoded bytes, more than ${stored} stored bytes can hold`,
    );
  return codecs.run('lz4', source, (call) => {
    const block = call.allocate(bytes);
    const got = call.functions.lz4_decode(call.source + PREFIX_BYTES, stored, block, bytes);
    if (got < 0)
      throw new CodecError(
        `codec "lz4": the stored bytes are not a valid LZ4 block (error at byte ${PREFIX_BYTES - got})`,
      );
    if (got !== bytes)
      throw new CodecError(`codec "lz4": the block decodes to ${got} bytes; its header declares ${bytes}`);
    return call.copyOut(block, bytes, into);
  });
}

/**
 * Encodes into a new buffer.
 * @param acceleration level of acceleration: 1 is the default; larger values are faster and compress less;
 * smaller ones are treated as 1, as in LZ4
 * @throws InputError for more bytes than LZ4 supports, or an invalid acceleration
 */
export function encodeLz4(source: Uint8Array, acceleration: number): Uint8Array {
  if (!Number.isInteger(acceleration) || Math.abs(acceleration) > 2 ** 31 - 1)
    throw new InputError(`codec "lz4": acceleration is ${acceleration}; expected a 32-bit integer`);
  if (source.length > MAX_BYTES)
    throw new InputError(
      `codec "lz4": the chunk has ${source.length} bytes; the format allows at most ${MAX_BYTES}`,
    );
  return codecs.run('lz4', source, (call, source) => {
    const capacity = call.functions.lz4_bound(source.length);
    const block = call.allocate(capacity);
    const got = call.functions.lz4_encode(call.source, source.length, block, capacity, acceleration);
    if (got <= 0) throw new CodecError(`codec "lz4": encoding ${source.length} bytes failed`);
    const result = new Uint8Array(PREFIX_BYTES + got);
    new DataView(result.buffer).setUint32(0, source.length, true);
    result.set(call.view(block, got), PREFIX_BYTES);
    return result;
  });
}

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
      decode: decodeLz4,
      encode: (bytes) => encodeLz4(bytes, acceleration),
    };
  },
};
