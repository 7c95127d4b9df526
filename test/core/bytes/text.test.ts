import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8 } from '../../../server/core/bytes/text.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text, or undefined for bytes that are not UTF-8. */
function outcome(decode: () => string): string | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

test('short and long texts, and bytes that are not UTF-8, are decoded like by TextDecoder', () => {
  // Bytes at the limits of the ranges of leading and following bytes.
  const byte = fc.oneof(fc.constantFrom(0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xdf, 0xe0, 0xf0, 0xff), fc.nat(255)); // prettier-ignore
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((value) => new TextEncoder().encode(value));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.array(byte, { maxLength: 6 }).map(Uint8Array.from.bind(Uint8Array)), text); // prettier-ignore
  fc.assert(
    fc.property(bytes, fc.nat(2), (list, start) => {
      const from = Math.min(start, list.length);
      expect(outcome(() => decodeUtf8(list, from, list.length))).toBe(
        outcome(() => decoder.decode(list.subarray(from))),
      );
    }),
    { numRuns: 3000 },
  );
});
