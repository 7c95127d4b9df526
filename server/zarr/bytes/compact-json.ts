/** Removes white space between the tokens of JSON text. */
import { BACKSLASH, QUOTE } from './json-characters.js';

const STEP_BYTES = 64 * 1024;

/** Yields every few tenths of a millisecond. @param bytes valid JSON */
export function* compactSteps(bytes: Uint8Array): Generator<void, Uint8Array, void> {
  const result = new Uint8Array(bytes.length);
  let to = 0;
  let inString = false;
  let isEscaped = false;
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    const end = Math.min(bytes.length, start + STEP_BYTES);
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      else if (byte === QUOTE) inString = true;
      result[to++] = byte;
    }
    yield;
  }
  return result.subarray(0, to);
}
