/** gzip and zlib by pako, for platforms without node:zlib. Same interface and errors as deflate-node.ts. */
import { createPause } from '../../../core/turns.js';
import { Deflate as Deflator, Inflate as Inflator } from 'pako';
import { bytesInPieces } from '../../../core/bytes/strided-copy.js';
import { CodecError } from '../../../core/errors.js';
import { type Deflate, firstCapacity, inflateError } from './deflate.js';
import { checkSize } from '../size.js';

const isLevel = (level: number): level is -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 =>
  Number.isInteger(level) && level >= -1 && level <= 9;

/** windowBits 15 requires a zlib header, 31 a gzip header. By default, pako accepts either. */
const formats = { gzip: { windowBits: 31 }, zlib: { windowBits: 15 }, raw: { raw: true } } as const;

/**
 * Number of input bytes per step. One byte of deflate produces at most 1032 bytes, so a step produces about
 * 4 MiB at most.
 */
const PIECE_BYTES = 4096;

/** Thrown from pako's callback to stop it. */
class Overflow extends Error {}

export const deflate: Deflate = {
  inflate(format, source, size, into) {
    const inflator = new Inflator({
      chunkSize: Math.min(firstCapacity(source, size), 2 ** 20),
      ...formats[format],
    });
    const output = new Output(
      into?.length === size.bytes && into.buffer !== source.buffer ? into : undefined,
      size.bytes,
    );
    inflator.onData = (part) => {
      if (part instanceof Uint8Array) output.add(part);
    };
    try {
      inflator.push(source, true);
    } catch (cause) {
      if (cause instanceof Overflow) throw inflateError(format, size, 'too large');
      throw cause;
    }
    if (inflator.err !== 0) throw inflateError(format, size, reasonOf(inflator), new Error(inflator.msg));
    if (!inflator.ended) throw inflateError(format, size, 'truncated');
    const result = output.result();
    checkSize(format, result.length, size);
    return result;
  },

  async inflateInTurns(source, take, signal) {
    const inflator = new Inflator({ ...formats.raw, chunkSize: 65_536 });
    inflator.onData = (part) => {
      if (part instanceof Uint8Array) take(part);
    };
    const pause = createPause(signal);
    for (const piece of bytesInPieces(source, PIECE_BYTES)) {
      inflator.push(piece, false);
      if (inflator.err !== 0) throw new CodecError(`inflating failed (${inflator.msg})`);
      if (inflator.ended) break;
      await pause();
    }
    if (!inflator.ended) throw new CodecError('inflating failed: the stream is truncated');
  },

  deflate(format, source, level) {
    if (!isLevel(level)) throw new CodecError(`codec "${format}": unsupported level ${level}`);
    const deflator = new Deflator({ level, gzip: format === 'gzip' });
    deflator.push(source, true);
    if (deflator.err !== 0) throw new CodecError(`codec "${format}": encoding failed (${deflator.msg})`);
    return deflator.result;
  },
};

function reasonOf(inflator: Inflator): 'checksum' | 'truncated' | 'corrupt' {
  if (inflator.msg === 'incorrect data check' || inflator.msg === 'incorrect length check') return 'checksum';
  return inflator.err === -5 ? 'truncated' : 'corrupt';
}

/** Collects parts, in `into` if given, up to `limit` bytes. */
class Output {
  readonly #into: Uint8Array | undefined;
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(into: Uint8Array | undefined, limit: number) {
    this.#into = into;
    this.#limit = limit;
  }

  add(part: Uint8Array): void {
    const end = this.#length + part.length;
    if (end > this.#limit) throw new Overflow();
    if (this.#into !== undefined) this.#into.set(part, this.#length);
    else this.#parts.push(part);
    this.#length = end;
  }

  result(): Uint8Array {
    if (this.#into !== undefined) return this.#into.subarray(0, this.#length);
    const [only] = this.#parts;
    if (only !== undefined && this.#parts.length === 1) return only;
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
