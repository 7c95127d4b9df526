import { TransportError } from '../errors.js';
import type { FetchInit, FetchResponse, ResolvedOptions } from '../options.js';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects within its origin, so that no other origin receives a body, token or custom
 * header. Repeats a POST only if the status preserves the method (RFC 9110, section 15.4). Browsers hide the target of
 * a redirect, so redirects are not followed there.
 * @throws TransportError BAD_RESPONSE for a redirect that is not followed; errors of fetch
 */
export async function fetchWithinOrigin(
  { fetch }: Pick<ResolvedOptions, 'fetch'>,
  url: string,
  init: Omit<FetchInit, 'redirect'>,
): Promise<FetchResponse> {
  let at = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const { status } = response;
    // Browsers report any redirect as status 0.
    if (status !== 0 && !redirects.has(status)) return response;
    response.body
      ?.getReader()
      .cancel()
      .catch(() => undefined);
    const location = response.headers.get('location') ?? undefined;
    if (location === undefined || !URL.canParse(at) || !URL.canParse(location, at))
      throw refused('the gateway redirected the request', status);
    const to = new URL(location, at);
    if (to.origin !== new URL(at).origin)
      throw refused(`the gateway redirected the request to another origin, ${to.origin}`, status);
    if (init.method === 'POST' && status !== 307 && status !== 308)
      throw refused('the gateway redirected a POST with a status that drops its body', status);
    at = to.href;
  }
  throw refused(`the gateway redirected the request more than ${MAX_REDIRECTS} times`, undefined);
}

function refused(problem: string, status: number | undefined): TransportError {
  const message = `${problem}; set url to the final URL`;
  return new TransportError('BAD_RESPONSE', message, { status });
}
