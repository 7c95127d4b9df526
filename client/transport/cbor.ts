/** CBOR encoding and decoding with this package's types. */
import { decodeCbor as decode } from '../../wire/cbor/decode.js';
import { encodeCbor as encode } from '../../wire/cbor/encode.js';
import type { OpenObject } from '../../wire/cbor/encode.js';
import { TransportError } from '../errors.js';
import { tooLarge } from './byte-sink.js';

/**
 * Decodes a response. Arrays become `WireArray`s, whose bytes are views of `input`.
 * @param maxHeapBytes maximum memory of the values in addition to `input`
 * @throws TransportError BAD_RESPONSE, TOO_LARGE
 */
export function decodeCbor(input: Uint8Array<ArrayBuffer>, maxHeapBytes: number = 2 ** 30): unknown {
  return decode(input, {
    maxHeapBytes,
    allowsSharing: true,
    malformed: (why, at) =>
      new TransportError('BAD_RESPONSE', `malformed CBOR in the response at byte ${at}: ${why}`),
    tooLarge: (bytes) => tooLarge("the gateway's response, once parsed,", bytes),
  });
}

/** Encodes a request body into one buffer. Objects with a `toJSON` method are replaced by its result, as in JSON. */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
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
