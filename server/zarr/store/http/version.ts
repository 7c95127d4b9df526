/** The version of an object, from the head of a response. */
import type { AnswerHead } from './exchange.js';

/** A tag that identifies the bytes rather than only their meaning, as If-Match requires. */
export function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

/** A change within the same second would have the same date; after this time, that is no longer possible. */
const SETTLED_MS = 2000;

/**
 * The ETag; without one, the date of the last change, unless it is so recent that another change could have
 * the same date. undefined: the server provides no version.
 */
export function versionOf(response: AnswerHead): string | undefined {
  const tag = response.headers.get('etag');
  if (tag?.endsWith('"') === true) return tag;
  const modified = response.headers.get('last-modified');
  const date = response.headers.get('date');
  if (modified === null || date === null) return undefined;
  return Date.parse(date) - Date.parse(modified) >= SETTLED_MS ? `date ${modified}` : undefined;
}
