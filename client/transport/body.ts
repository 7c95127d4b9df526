/** Collects bytes up to a limit, reads bodies, and encodes and decodes CBOR. */
import { decodeCbor as decode } from '../../wire/cbor/decode.js';
import { encodeCbor as encode, type OpenObject } from '../../wire/cbor/encode.js';
import { TransportError } from '../errors.js';
import type { FetchResponse } from '../options.js';

/**
 * Minimum size of a piece to keep as a view. Smaller pieces are copied, because a view needs more memory
 * than the bytes.
 */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 65_536;

/** @param content name of the content for error messages */
export function createByteSink(maxBytes: number, content: string) {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let block = new Uint8Array(0);
  let used = 0;
  const flush = () => {
    if (used > 0) pieces.push(block.subarray(0, used));
    block = block.subarray(used);
    used = 0;
  };
  return {
    /** @throws TransportError TOO_LARGE */
    push(piece: Uint8Array): void {
      if (piece.length === 0) return;
      length += piece.length;
      if (length > maxBytes) throw tooLarge(content, maxBytes);
      if (piece.length >= SMALL_BYTES) {
        flush();
        pieces.push(piece);
        return;
      }
      if (used + piece.length > block.length) {
        flush();
        if (block.length < piece.length) block = new Uint8Array(BLOCK_BYTES);
      }
      block.set(piece, used);
      used += piece.length;
    },
    /** Concatenates all bytes since the last call. */
    take(): Uint8Array<ArrayBuffer> {
      flush();
      const whole = joined(pieces, length);
      pieces = [];
      length = 0;
      return whole;
    },
  };
}

export function tooLarge(content: string, maxBytes: number): TransportError {
  return new TransportError(
    'TOO_LARGE',
    `${content} exceeds ${maxBytes} bytes; request fewer values per call, or raise maxResponseBytes`,
  );
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  // A small piece is in a block that is still being filled.
  if (
    pieces.length === 1 &&
    only !== undefined &&
    length >= SMALL_BYTES &&
    only.buffer instanceof ArrayBuffer
  )
    return new Uint8Array(only.buffer, only.byteOffset, only.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Reads the whole decompressed body into newly allocated memory. Calls `touch` for every non-empty chunk of a stream.
 * @throws TransportError TOO_LARGE if more than `maxBytes` were announced or arrive; immediately for a stream
 */
export async function readBody(
  response: FetchResponse,
  maxBytes: number,
  touch: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = "the gateway's response";
  const reader = response.body?.getReader();
  try {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge(content, maxBytes);
    const sink = createByteSink(maxBytes, content);
    if (reader === undefined) {
      const whole = new Uint8Array(await response.arrayBuffer());
      sink.push(whole);
      return whole;
    }
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return sink.take();
      if (value === undefined || value.length === 0) continue;
      touch();
      sink.push(value);
    }
  } catch (error) {
    // The rest of the body is not needed, so errors of cancelling are ignored.
    reader?.cancel().catch(() => undefined);
    throw error;
  }
}

/**
 * Decodes a response. Arrays become `WireArray`s, whose bytes are views of `input`.
 * @param maxHeapBytes maximum memory of the values in addition to `input`
 * @throws TransportError BAD_RESPONSE, TOO_LARGE
 */
export function decodeCborBody(input: Uint8Array<ArrayBuffer>, maxHeapBytes: number = 2 ** 30): unknown {
  return decode(input, {
    maxHeapBytes,
    allowsSharing: true,
    malformed: (why, at) =>
      new TransportError('BAD_RESPONSE', `malformed CBOR in the response at byte ${at}: ${why}`),
    tooLarge: (bytes) => tooLarge("the gateway's response, once parsed,", bytes),
  });
}

/** Encodes a request body into one buffer. Objects with a `toJSON` method are replaced by its result, as in JSON. */
export function encodeCborBody(value: unknown): Uint8Array<ArrayBuffer> {
  const pieces = [...encode(value, openObject)];
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const openObject: OpenObject = (_writer, value) => {
  const toJSON: unknown = Reflect.get(value, 'toJSON');
  return typeof toJSON === 'function' ? [Reflect.apply(toJSON, value, [])].values() : undefined;
};
