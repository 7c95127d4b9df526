/** Fixed-length text of UCS-4 code points (NumPy's U), little-endian as everything in memory. */

/**
 * The text of one item; only trailing NULs are padding. What is no code point (beyond U+10FFFF) becomes U+FFFD, a
 * surrogate stays a lone surrogate.
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

/** @returns undefined where the text has more code points than `length` */
export function utf32FromText(text: string, length: number): Uint32Array | undefined {
  const points = new Uint32Array(length);
  let i = 0;
  for (const char of text) {
    if (i === length) return undefined;
    points[i++] = char.codePointAt(0) ?? 0;
  }
  return points;
}
