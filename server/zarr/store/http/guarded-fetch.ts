/** How requests of HTTP stores reach the network where the platform decides on connections itself, as browsers do. */

/**
 * - `own`: the host of the store's configured address. It may be private, but a public one must stay public.
 * - `public`: any other host, where a redirect leads. Only public addresses may be connected to.
 */
export type HostTrust = 'own' | 'public';

export interface GuardedInit {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** A fetch that enforces the trust when it connects, where the platform allows that. */
export type GuardedFetch = (address: URL, init: GuardedInit, trust: HostTrust) => Promise<Response>;

/** One a store. Called late, so that a replaced global counts. */
export function createGuardedFetch(): GuardedFetch {
  return (address, init) => fetch(address, init);
}
