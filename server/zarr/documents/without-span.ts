/** Replaces a part of encoded text. */
import type { DocumentSpan } from '../../format/metadata/consolidated.js';

const nullText = new TextEncoder().encode('null');

/** The text of `whole` with `hole` replaced by `null`; unchanged if the hole is empty. */
export function withoutSpan(bytes: Uint8Array, whole: DocumentSpan, hole: DocumentSpan): Uint8Array {
  const text = bytes.subarray(whole.start, whole.end);
  if (hole.end <= hole.start) return text;
  return replaceSpan(text, { start: hole.start - whole.start, end: hole.end - whole.start }, nullText);
}

export function replaceSpan(
  bytes: Uint8Array,
  { start, end }: DocumentSpan,
  replacement: Uint8Array,
): Uint8Array {
  const result = new Uint8Array(bytes.length - (end - start) + replacement.length);
  result.set(bytes.subarray(0, start));
  result.set(replacement, start);
  result.set(bytes.subarray(end), start + replacement.length);
  return result;
}
