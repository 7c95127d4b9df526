/** The version of an object, from the head of a response. */
import type { AnswerHead } from './exchange.js';

/** A strong ETag, as If-Match requires. */
export function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

/** Minimum age of a date as a version, because a change within the same second would have the same date. */
const SETTLED_MS = 2000;

/**
 * The ETag, or else the date of the last change, unless another change could have the same date. Undefined
 * if the server provides no version.
 */
export function versionOf(response: AnswerHead): string | undefined {
  const tag = response.headers.get('etag');
  if (tag?.endsWith('"') === true) return tag;
  const modified = response.headers.get('last-modified');
  const date = response.headers.get('date');
  if (modified === null || date === null) return undefined;
  return Date.parse(date) - Date.parse(modified) >= SETTLED_MS ? `date ${modified}` : undefined;
}
