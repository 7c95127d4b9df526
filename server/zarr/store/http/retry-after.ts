/** The Retry-After header (RFC 9110, section 10.2.3): a number of seconds or a date. */
import type { AnswerHead } from './exchange.js';

/**
 * The delay in milliseconds; undefined if the header is missing or invalid. A date is compared with the
 * Date header of the response, if it has one.
 */
export function retryAfterMs({ headers }: Pick<AnswerHead, 'headers'>): number | undefined {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const until = parseHttpDate(asked);
  if (until === undefined) return undefined;
  return Math.max(0, until - (parseHttpDate(headers.get('date') ?? '') ?? Date.now()));
}

const usual = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
/** C's asctime format, which is implicitly GMT. */
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parses a date in any of the three forms of RFC 9110, section 5.6.7, to milliseconds since 1970. */
function parseHttpDate(text: string): number | undefined {
  const isKnown = usual.test(text) || rfc850.test(text);
  if (!isKnown && !asctime.test(text)) return undefined;
  const time = Date.parse(isKnown ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
