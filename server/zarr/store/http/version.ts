/** The version of an object by the head of an answer. */
import type { AnswerHead } from './exchange.js';

/** A tag that stands for the bytes and not only for their meaning, as If-Match demands. */
export function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

/** A second object within the same second would have the same date; after this long there can be none. */
const settledMs = 2000;

/**
 * The ETag; without one the date of the last change, as long as that is not so fresh that another change could follow
 * under the same date. undefined: this server tells no version.
 */
export function versionOf(response: AnswerHead): string | undefined {
  const tag = response.headers.get('etag');
  if (tag?.endsWith('"') === true) return tag;
  const modified = response.headers.get('last-modified');
  const date = response.headers.get('date');
  if (modified === null || date === null) return undefined;
  return Date.parse(date) - Date.parse(modified) >= settledMs ? `date ${modified}` : undefined;
}
