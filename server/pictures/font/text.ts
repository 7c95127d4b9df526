/** Renders text as pixels, in one size of DejaVu Sans. */
import { defined } from '../../../wire/guards.js';
import { glyphRecords } from './glyphs.js';

/** Height of a line in pixels. */
export const LINE_HEIGHT = 16;

/** Number of grey levels, from 0 (background) to 3 (letter). */
export const LEVELS = 4;

interface Glyph {
  readonly width: number;
  /** 2 bits for each pixel, row by row. */
  readonly bits: Uint8Array;
}

const REPLACEMENT = '\u{FFFD}';

let glyphs: ReadonlyMap<string, Glyph> | undefined;

function allGlyphs(): ReadonlyMap<string, Glyph> {
  if (glyphs !== undefined) return glyphs;
  const bytes = Buffer.from(glyphRecords, 'base64url');
  const records = new Map<string, Glyph>();
  for (let at = 0; at < bytes.length;) {
    const width = bytes.readUInt8(at + 2);
    const end = at + 3 + (width * LINE_HEIGHT) / 4;
    records.set(String.fromCharCode(bytes.readUInt16LE(at)), { width, bits: bytes.subarray(at + 3, end) });
    at = end;
  }
  return (glyphs = records);
}

/**
 * The glyphs of a text. Missing letters are shown without their diacritics, else as a replacement character.
 */
function glyphsOf(text: string): Glyph[] {
  const known = allGlyphs();
  return Array.from(text.normalize('NFC')).flatMap((character) => {
    const plain = /\s/u.test(character) ? ' ' : character;
    const glyph = known.get(plain) ?? known.get(plain.normalize('NFD').charAt(0)) ?? known.get(REPLACEMENT);
    return glyph === undefined ? [] : [glyph];
  });
}

/** Width of the text in pixels. */
export function widthOf(text: string): number {
  return glyphsOf(text).reduce((sum, { width }) => sum + width, 0);
}

/** Maximum number of characters to measure. A line of this length is wider than any legend. */
const MAX_CHARACTERS = 500;

/** The text, truncated with an ellipsis if it is wider than `width` pixels. */
export function fitted(text: string, width: number): string {
  const characters = Array.from(text.slice(0, MAX_CHARACTERS));
  if (text.length <= MAX_CHARACTERS && widthOf(text) <= width) return text;
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/**
 * @param put receives the level of each pixel that is not background, and its position relative to the upper
 * left corner of the text
 */
export function drawText(text: string, put: (x: number, y: number, level: number) => void): void {
  let left = 0;
  for (const { width, bits } of glyphsOf(text)) {
    for (let i = 0; i < width * LINE_HEIGHT; i++) {
      const level = (defined(bits[i >> 2]) >> (2 * (i & 3))) & (LEVELS - 1);
      if (level > 0) put(left + (i % width), Math.floor(i / width), level);
    }
    left += width;
  }
}
