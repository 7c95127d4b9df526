/** Requests by `fetch`, with limits on redirects and time. */
import { browserRedirects } from '#guarded-fetch';
import { StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { isSameServer, resolveRedirect } from './address.js';
import { brokenConnection, NetworkWait } from './network-wait.js';
import type { StoreExchange, Sent, Timeouts } from './exchange.js';
import type { GuardedFetch, GuardedInit } from './guarded-fetch.js';

interface FetchExchangeOptions {
  readonly fetch: GuardedFetch;
  /** Headers that are sent only to the configured server. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  /** Maximum number of redirects per request. */
  readonly maxRedirects: number;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Sends a request by `fetch`. A redirect that must not be followed results in a StoreDeniedError. */
export function createFetchExchange(options: FetchExchangeOptions): StoreExchange {
  return {
    async send(method, address, headers, signal) {
      let at = address;
      let isOwnHost = true;
      for (let hops = 0; hops <= options.maxRedirects; hops++) {
        // The headers of the store (credentials) are sent only to its server.
        const own = at.origin === address.origin ? options.headers : {};
        const redirect = redirectsOf(options);
        const send = (init: GuardedInit) => options.fetch(at, init, isOwnHost ? 'own' : 'public');
        const sent = await sendOnce(
          send,
          options.timeouts,
          { method, redirect },
          { ...own, ...headers },
          signal,
        );
        if (!redirects.has(sent.response.status)) return sent;
        sent.discard();
        at = resolveRedirect(at, sent.response.headers.get('location'));
        isOwnHost &&= isSameServer(at, address);
      }
      throw new StoreUnavailableError(`the server redirected more than ${options.maxRedirects} times`);
    },
  };
}

/**
 * Prevents redirects in browsers if the store has headers (credentials), which would be sent to the target.
 */
function redirectsOf({ headers }: FetchExchangeOptions): GuardedInit['redirect'] {
  if (!browserRedirects) return 'manual';
  return Object.keys(headers).length === 0 ? 'follow' : 'error';
}

async function sendOnce(
  send: (init: GuardedInit) => Promise<Response>,
  timeouts: Timeouts,
  request: Pick<GuardedInit, 'method' | 'redirect'>,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const watch = new NetworkWait(signal);
  const response = await watch.bounded(
    // Requests uncompressed bodies, because a compressed body would have other offsets and another length.
    send({
      ...request,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal: watch.signal,
    }).catch(refusedOrBroken),
    timeouts.firstByteMs,
    'the server did not respond',
  );
  const reader = response.body?.getReader();
  return {
    response: {
      status: response.status,
      headers: response.headers,
      hidesHeaders: response.type === 'cors',
    },
    async nextPiece() {
      if (reader === undefined) return undefined;
      const next = await watch.bounded(
        reader.read().catch(brokenConnection),
        timeouts.stallMs,
        'the server sent no further data',
      );
      if (!next.done) return next.value;
      watch.release();
      return undefined;
    },
    discard: () => watch.stop(),
  };
}

/** Rethrows errors. Errors of the guard are final, because a retry would not help. */
function refusedOrBroken(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof StoreDeniedError) throw cause;
  return brokenConnection(error);
}
