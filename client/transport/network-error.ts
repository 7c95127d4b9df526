import { TransportError, ZarrqlError } from '../errors.js';

/** What a fetch threw, as NETWORK; an error of ours stays as it is. */
export function networkError(error: unknown, url: string): ZarrqlError {
  if (error instanceof ZarrqlError) return error;
  return new TransportError('NETWORK', `no answer from ${placeOf(url)}: ${describe(error)}`, {
    cause: error,
  });
}

/** Without user name, password and query: messages are logged. */
export function placeOf(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

/** `fetch failed` tells nothing; its cause (ECONNREFUSED ...) does. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
