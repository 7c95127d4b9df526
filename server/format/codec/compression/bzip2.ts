/**
 * numcodecs' `bz2`: one or more bzip2 streams. Checksums are verified; a mismatch is reported as corrupt data.
 */
import { CodecError, InputError } from '../../../core/errors.js';
import type { BytesToBytesCodec, Size } from '../codec.js';
import { readInteger } from '../configuration.js';
import { checkSize, compressedBound, mostBytes, tooLarge } from '../size.js';
import { collectOutput } from '../collect-output.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { archive } from '../../../core/wasm/module.js';

/** Return codes from bzlib.h. */
const OK = 0;
const STREAM_END = 4;
/** Initial output size in bytes: the largest block size of the format. */
const FIRST_BYTES = 900_000;

/**
 * Decodes bzip2 streams.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid
 * until the next call of a bzip2 or lzma function
 * @throws CodecError, also for extra bytes after the last stream; LimitError for a result larger than `size`
 */
export function decodeBzip2(source: Uint8Array, size: Size, into?: Uint8Array): Uint8Array {
  const most = mostBytes('bz2', size);
  return archive.run('bz2', source, (call, source) => {
    const {
      bzip2_open: open,
      bzip2_step: next,
      bzip2_room_left: roomLeft,
      bzip2_input_left: inputLeft,
      bzip2_close: close,
    } = call.functions;
    if (open(call.source, source.length) !== OK) throw outOfMemory();
    try {
      const { block, bytes, overflowed } = collectOutput(
        call,
        size.kind === 'exact' ? most + 1 : FIRST_BYTES,
        most,
        (to, capacity) => {
          const status = next(to, capacity);
          const left = roomLeft() >>> 0;
          if (status < OK) throw corrupt(status);
          const rest = inputLeft() >>> 0;
          if (status !== STREAM_END) {
            // Output space remains but no input, so the stream is truncated.
            if (left > 0 && rest === 0) throw new CodecError('codec "bz2": the stream is truncated');
            return { left, ended: false };
          }
          if (rest === 0) return { left, ended: true };
          if (open(call.source + source.length - rest, rest) !== OK) throw outOfMemory();
          return { left, ended: false };
        },
      );
      if (overflowed) throw tooLarge('bz2', size);
      checkSize('bz2', bytes, size);
      return call.copyOut(block, bytes, into);
    } finally {
      close();
    }
  });
}

/**
 * Encodes into a new buffer.
 * @param level block size in units of 100 kB, 1 to 9
 * @throws InputError for another level
 */
export function encodeBzip2(source: Uint8Array, level: number): Uint8Array {
  if (!Number.isInteger(level) || level < 1 || level > 9)
    throw new InputError(`codec "bz2": level is ${level}; expected an integer from 1 to 9`);
  return archive.run('bz2', source, (call, source) => {
    // According to bzip2's manual, the result is at most 1 % and 600 bytes larger.
    const capacity = Math.ceil(source.length * 1.01) + 600;
    const block = call.allocate(capacity);
    const got = call.functions.bzip2_encode(call.source, source.length, block, capacity, level);
    if (got < 0)
      throw new CodecError(`codec "bz2": encoding ${source.length} bytes failed (libbzip2 returned ${got})`);
    return call.view(block, got).slice();
  });
}

function corrupt(status: number): CodecError {
  return new CodecError(`codec "bz2": the stored bytes are corrupt (libbzip2 returned ${status})`);
}

function outOfMemory(): CodecError {
  return new CodecError('codec "bz2": not enough memory for a decoder');
}

export const bzip2Codec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'bz2',
  ...loadingWasm('archive'),
  create(configuration) {
    // Block size in units of 100 kB.
    const level = readInteger('bz2', configuration, 'level', { min: 1, max: 9, absent: 1 });
    return {
      encodedSize: compressedBound,
      decode: decodeBzip2,
      encode: (bytes) => encodeBzip2(bytes, level),
    };
  },
};
