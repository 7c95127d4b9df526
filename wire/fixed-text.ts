/** Text and byte strings of a fixed length: trailing NULs are padding. */

/**
 * The text of one item of UCS-4 code points (NumPy's U), little-endian. Values beyond U+10FFFF become
 * U+FFFD. Surrogates are preserved.
 */
export function textFromUtf32(points: Uint32Array, start = 0, end = points.length): string {
  while (end > start && points[end - 1] === 0) end--;
  let text = '';
  for (let i = start; i < end; i++) {
    const point = points[i] ?? 0;
    text +=
      point < 0x10000 ? String.fromCharCode(point) : String.fromCodePoint(point > 0x10ffff ? 0xfffd : point);
  }
  return text;
}

/** @returns undefined if the text has more code points than `length` */
export function utf32FromText(text: string, length: number): Uint32Array | undefined {
  const points = new Uint32Array(length);
  let i = 0;
  for (const char of text) {
    if (i === length) return undefined;
    points[i++] = char.codePointAt(0) ?? 0;
  }
  return points;
}

/** A view of the bytes before the padding. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
