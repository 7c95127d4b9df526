import { TransportError, ZarrqlError } from '../errors.js';

/** Converts an error of `fetch` to NETWORK. Errors of this package remain unchanged. */
export function networkError(error: unknown, url: string): ZarrqlError {
  if (error instanceof ZarrqlError) return error;
  return new TransportError('NETWORK', `no response from ${shownUrl(url)}: ${describe(error)}`, {
    cause: error,
  });
}

/** The URL without user name, password and query, because messages are logged. */
export function shownUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

/** Includes the cause, such as ECONNREFUSED, because `fetch failed` is not sufficient. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
