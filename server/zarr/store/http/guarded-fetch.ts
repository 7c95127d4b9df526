/** Sends requests of HTTP stores on platforms that control connections themselves, such as browsers. */

/**
 * - `own`: the host of the configured URL. It may be private, but a public one must stay public.
 * - `public`: any other host, after a redirect. Only public addresses may be connected to.
 */
export type HostTrust = 'own' | 'public';

export interface GuardedInit {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  /** `manual` if the caller checks targets of redirects. */
  readonly redirect: 'manual' | 'follow' | 'error';
  readonly signal: AbortSignal;
}

/** A fetch that enforces the trust when it connects, if the platform allows that. */
export type GuardedFetch = (address: URL, init: GuardedInit, trust: HostTrust) => Promise<Response>;

/**
 * Browsers do not reveal targets of redirects, so only they can follow them. They also control access, by
 * CORS and private network rules.
 */
export const browserRedirects: boolean = true;

/**
 * One per store. The browser's cache obeys the server, which may allow it to serve an outdated object. If
 * that shows (412: the version that was read no longer exists), the next request for the object bypasses the
 * cache: otherwise, reading it would fail until the entry expires.
 */
export function createGuardedFetch(): GuardedFetch {
  const changed = new Set<string>();
  return async (address, init) => {
    const isStale = changed.delete(address.href);
    // Looked up on each call, so that a replaced global is used.
    const response = await fetch(address, isStale ? { ...init, cache: 'reload' } : init);
    if (response.status === 412) changed.add(address.href);
    return response;
  };
}
