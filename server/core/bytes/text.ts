/** Strict UTF-8 encoding and decoding: nothing is replaced or dropped, and a byte order mark is kept. */
import { InputError } from '../errors.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Maximum length, in bytes, of text that is decoded by a loop, which is faster than the decoder. */
const SHORT = 24;

/** @throws TypeError for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (start === end) return '';
  if (end - start <= SHORT) {
    let text = '';
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte < 0x80) text += String.fromCharCode(byte);
      else {
        // A character of two bytes. The decoder handles and checks all others.
        const next = bytes[at + 1];
        if (byte < 0xc2 || byte > 0xdf || at + 1 === end || (next & 0xc0) !== 0x80) break;
        text += String.fromCharCode(((byte & 0x1f) << 6) | (next & 0x3f));
        at++;
      }
    }
    if (at === end) return text;
  }
  return decoder.decode(bytes.subarray(start, end));
}

/** @throws InputError for text with a lone surrogate, which UTF-8 cannot represent */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length !== text.length && /\p{Surrogate}/u.test(text))
    throw new InputError('text has a lone surrogate, which UTF-8 cannot represent');
  return bytes;
}

/**
 * Whether bytes `start` (inclusive) to `end` (exclusive) are well-formed UTF-8 (RFC 3629: no surrogates, no
 * overlong forms).
 */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const lead = bytes[at++];
    if (lead < 0x80) continue;
    const extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || at + extra > end) return false;
    const next = bytes[at];
    const [least, most] = secondByteOf(lead);
    if (next < least || next > most) return false;
    for (let i = 1; i < extra; i++) if ((bytes[at + i] & 0xc0) !== 0x80) return false;
    at += extra;
  }
  return true;
}

const anySecond = [0x80, 0xbf] as const;

function secondByteOf(lead: number): readonly [least: number, most: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : anySecond;
}
