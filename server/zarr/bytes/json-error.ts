/** Errors in JSON text, with their location and at most one line of the text. */
import { MetadataError } from '../errors.js';

/** @param at position in the text, in UTF-16 units */
export function jsonError(text: string, what: string, at: number): MetadataError {
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return new MetadataError(`not valid JSON: ${what} (line ${line}, column ${at - lineStart + 1})`);
}

const MAX_SHOWN = 100;

/** A key in double quotes, truncated, because it may be as long as the document. */
export function quoted(key: string): string {
  return JSON.stringify(key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}...` : key);
}
