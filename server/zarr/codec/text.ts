/** UTF-8 both ways, strictly: nothing is replaced, nothing is dropped, a byte order mark is a character. */
import { InputError } from '../errors.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Below this many bytes a loop is faster than the decoder, if all is ASCII. */
const SHORT = 24;

/** @throws TypeError for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (start === end) return '';
  if (end - start <= SHORT) {
    let text = '';
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0x80;
      if (byte >= 0x80) break;
      text += String.fromCharCode(byte);
    }
    if (at === end) return text;
  }
  return decoder.decode(bytes.subarray(start, end));
}

/** @throws InputError for a text with half a surrogate pair, which UTF-8 cannot spell */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length !== text.length && /\p{Surrogate}/u.test(text))
    throw new InputError('a text holds half of a surrogate pair, which UTF-8 cannot store');
  return bytes;
}
