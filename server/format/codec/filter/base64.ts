/** numcodecs' `base64`: the bytes as text of RFC 4648, with padding. */
import { CodecError } from '../../../core/errors.js';
import type { BytesToBytesCodec, Size } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { checkSize, mapSize } from '../size.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const letters = new TextEncoder().encode(ALPHABET);
const PAD = '='.charCodeAt(0);
const NO_LETTER = 64;
const valueOfLetter = new Uint8Array(256).fill(NO_LETTER);
letters.forEach((letter, value) => (valueOfLetter[letter] = value));

export const base64Codec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'base64',
  create(configuration) {
    checkOptions('base64', configuration, []);
    return {
      encodedSize: (decoded) => mapSize(decoded, (bytes) => Math.ceil(bytes / 3) * 4),
      decode: decodeBase64,
      encode: encodeBase64,
    };
  },
};

function decodeBase64(bytes: Uint8Array, size: Size): Uint8Array {
  const padding = bytes[bytes.length - 1] !== PAD ? 0 : bytes[bytes.length - 2] !== PAD ? 1 : 2;
  const length = (bytes.length / 4) * 3 - padding;
  if (bytes.length % 4 !== 0)
    throw new CodecError(
      `codec "base64": the stored length is ${bytes.length} bytes; expected a multiple of 4`,
    );
  checkSize('base64', length, size);
  const result = new Uint8Array(length);
  for (let from = 0, to = 0; from < bytes.length; from += 4, to += 3) {
    const word =
      (letter(bytes, from, padding) << 18) |
      (letter(bytes, from + 1, padding) << 12) |
      (letter(bytes, from + 2, padding) << 6) |
      letter(bytes, from + 3, padding);
    // The typed array ignores writes beyond its end.
    result[to] = word >> 16;
    result[to + 1] = word >> 8;
    result[to + 2] = word;
  }
  return result;
}

function encodeBase64(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    // Bytes past the end are undefined, which is 0 in bit operations.
    const word = (bytes[from] << 16) | (bytes[from + 1] << 8) | bytes[from + 2];
    const left = bytes.length - from;
    result[to] = letters[word >> 18];
    result[to + 1] = letters[(word >> 12) & 63];
    result[to + 2] = left > 1 ? letters[(word >> 6) & 63] : PAD;
    result[to + 3] = left > 2 ? letters[word & 63] : PAD;
  }
  return result;
}

function letter(bytes: Uint8Array, at: number, padding: number): number {
  if (at >= bytes.length - padding) return 0;
  const value = valueOfLetter[bytes[at]] ?? NO_LETTER;
  if (value === NO_LETTER)
    throw new CodecError(`codec "base64": byte ${at} of the stored bytes is not base64`);
  return value;
}
