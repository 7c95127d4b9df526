/** How requests of HTTP stores reach the network where the platform decides on connections itself, as browsers do. */

/**
 * - `own`: the host of the store's configured address. It may be private, but a public one must stay public.
 * - `public`: any other host, where a redirect leads. Only public addresses may be connected to.
 */
export type HostTrust = 'own' | 'public';

export interface GuardedInit {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  /** `manual` where the caller checks where redirects lead. */
  readonly redirect: 'manual' | 'follow' | 'error';
  readonly signal: AbortSignal;
}

/** A fetch that enforces the trust when it connects, where the platform allows that. */
export type GuardedFetch = (address: URL, init: GuardedInit, trust: HostTrust) => Promise<Response>;

/**
 * Browsers do not show where a redirect leads, so that nobody but they can follow it. What they may read is theirs to
 * decide, too: the rules of CORS and of private networks.
 */
export const browserRedirects: boolean = true;

/**
 * One a store. The browser's own cache obeys the server, which may allow it to serve an object that has changed. Where
 * that shows (412: the version that was read is gone), the next request for the object skips the cache: otherwise
 * reading it would fail until the cache forgets it.
 */
export function createGuardedFetch(): GuardedFetch {
  const changed = new Set<string>();
  return async (address, init) => {
    const isStale = changed.delete(address.href);
    // Looked up late, so that a replaced global counts.
    const response = await fetch(address, isStale ? { ...init, cache: 'reload' } : init);
    if (response.status === 412) changed.add(address.href);
    return response;
  };
}
