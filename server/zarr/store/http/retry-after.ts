/** The Retry-After header (RFC 9110, section 10.2.3), where it is a number of seconds. */
import type { AnswerHead } from './exchange.js';

export function retryAfterMs({ headers }: Pick<AnswerHead, 'headers'>): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
