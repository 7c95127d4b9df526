import { MetadataError } from '../errors.js';

/** The characters of JSON's grammar: each is one byte of UTF-8 and one unit of UTF-16. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const MINUS = 0x2d;
export const ZERO = 0x30;
export const NINE = 0x39;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

// Errors in JSON text, with their location.

/** @param at position in the text, in UTF-16 units */
export function jsonError(text: string, problem: string, at: number): MetadataError {
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return new MetadataError(`not valid JSON: ${problem} (line ${line}, column ${at - lineStart + 1})`);
}

const MAX_SHOWN = 100;

/** A key in double quotes, truncated, because it may be as long as the document. */
export function quoted(key: string): string {
  return JSON.stringify(key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}...` : key);
}
