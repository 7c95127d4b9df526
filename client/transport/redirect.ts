/** Requests that stay within the gateway's origin. */
import { TransportError } from '../errors.js';
import type { FetchInit, FetchResponse, ResolvedOptions } from '../options.js';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/**
 * Sends a request and follows redirects within its origin: a body, a token or a custom header must not reach another
 * one. A POST is only repeated where the status keeps its method (RFC 9110, section 15.4). Browsers do not say where a
 * redirect leads; there none is followed.
 * @throws TransportError BAD_RESPONSE for a redirect that is not followed; what fetch throws
 */
export async function fetchWithinOrigin(
  { fetch }: Pick<ResolvedOptions, 'fetch'>,
  url: string,
  init: Omit<FetchInit, 'redirect'>,
): Promise<FetchResponse> {
  let at = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const { status } = response;
    // 0 is what browsers say of any redirect.
    if (status !== 0 && !redirects.has(status)) return response;
    response.body
      ?.getReader()
      .cancel()
      .catch(() => undefined);
    const location = response.headers.get('location') ?? undefined;
    if (location === undefined || !URL.canParse(at) || !URL.canParse(location, at))
      throw refused('the gateway redirects', status);
    const to = new URL(location, at);
    if (to.origin !== new URL(at).origin)
      throw refused(`the gateway redirects to another origin, ${to.origin}`, status);
    if (init.method === 'POST' && status !== 307 && status !== 308)
      throw refused('the gateway redirects a POST with a status that drops its body', status);
    at = to.href;
  }
  throw refused(`the gateway redirects more than ${maxRedirects} times`, undefined);
}

function refused(what: string, status: number | undefined): TransportError {
  const message = `${what}, which is not followed; set url to the final address`;
  return new TransportError('BAD_RESPONSE', message, { status });
}
