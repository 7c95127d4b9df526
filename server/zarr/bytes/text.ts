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

/** Whether bytes `start` up to, not including, `end` are well-formed UTF-8 (RFC 3629: no surrogates, nothing overlong). */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const lead = bytes[at++] ?? 0;
    if (lead < 0x80) continue;
    const extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || at + extra > end) return false;
    const next = bytes[at] ?? 0;
    const [least, most] = secondByteOf(lead);
    if (next < least || next > most) return false;
    for (let i = 1; i < extra; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return false;
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
