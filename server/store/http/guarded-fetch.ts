/** Sends requests of HTTP stores on platforms that control connections themselves, such as browsers. */

/**
 * Trust in the host of a request:
 * - `own`: the host of the configured URL. It may be private, but a public host must remain public.
 * - `public`: any other host, after a redirect. Only connections to public addresses are allowed.
 */
export type HostTrust = 'own' | 'public';

export interface GuardedInit {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  /** Handling of redirects: `manual` if the caller checks their targets. */
  readonly redirect: 'manual' | 'follow' | 'error';
  readonly signal: AbortSignal;
}

/** A fetch that connects only to addresses that `trust` allows, if the platform supports this check. */
export type GuardedFetch = (address: URL, init: GuardedInit, trust: HostTrust) => Promise<Response>;

/**
 * Browsers do not reveal the targets of redirects, so the browser must follow them. They also control
 * access, by CORS and private network rules.
 */
export const browserRedirects: boolean = true;

/**
 * Creates the fetch of one store. The browser's cache may return an outdated object. After a 412 (the version
 * no longer exists), the next request for the object bypasses the cache. Otherwise, reads would fail until
 * the cache entry expires.
 */
export function createGuardedFetch(): GuardedFetch {
  const changed = new Set<string>();
  return async (address, init) => {
    const isStale = changed.delete(address.href);
    // The global is looked up on each call, so that a replaced one is used.
    const response = await fetch(address, isStale ? { ...init, cache: 'reload' } : init);
    if (response.status === 412) changed.add(address.href);
    return response;
  };
}
