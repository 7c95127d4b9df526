/**
 * Headers of responses: versions, ranges and delays. The Retry-After header (RFC 9110, section 10.2.3): a number
 * of seconds or a date.
 */
import type { ResponseHead } from './exchange.js';

/** Whether an ETag is strong, as If-Match requires. */
export function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

/**
 * Minimum age, in milliseconds, of a date that is used as a version. A change within the same second would
 * have the same date.
 */
const SETTLED_MS = 2000;

/**
 * The version of an object: the ETag, or else the date of the last change, unless another change could have
 * the same date. Undefined if neither can be used.
 */
export function responseVersion(response: ResponseHead): string | undefined {
  const tag = response.headers.get('etag');
  if (tag?.endsWith('"') === true) return tag;
  const modified = response.headers.get('last-modified');
  const date = response.headers.get('date');
  if (modified === null || date === null) return undefined;
  return Date.parse(date) - Date.parse(modified) >= SETTLED_MS ? `date ${modified}` : undefined;
}

/** The Content-Range header (RFC 9110, section 14.4). */
interface ContentRange {
  /** First and last byte of the part; absent if the range is not satisfiable. */
  readonly first?: number;
  readonly last?: number;
  /** Size of the whole object, if the server states it. */
  readonly total?: number;
}

const pattern = /^bytes (?:(\d{1,16})-(\d{1,16})|\*)\/(?:(\d{1,16})|\*)$/;

/** @returns undefined if the header is missing or invalid */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = pattern.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const total = match[3] === undefined ? {} : { total: Number(match[3]) };
  if (match[1] === undefined || match[2] === undefined) return total;
  const first = Number(match[1]);
  const last = Number(match[2]);
  if (last < first || (total.total !== undefined && last >= total.total)) return undefined;
  return { first, last, ...total };
}

/**
 * Parses the delay to milliseconds; undefined if the header is missing or invalid. A date is compared with
 * the Date header of the response, if it has one.
 */
export function retryAfterMs({ headers }: Pick<ResponseHead, 'headers'>): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, until - (parseHttpDate(headers.get('date') ?? '') ?? Date.now()));
}

const usual = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
/** C's asctime format, which is implicitly GMT. */
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parses a date in any of the three forms of RFC 9110, section 5.6.7, to milliseconds since 1970. */
export function parseHttpDate(text: string): number | undefined {
  const isKnown = usual.test(text) || rfc850.test(text);
  if (!isKnown && !asctime.test(text)) return undefined;
  const time = Date.parse(isKnown ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
