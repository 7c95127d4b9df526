/** Requests by `fetch`: sent, redirected within bounds, bounded in time. */
import { StoreUnavailableError } from '../../errors.js';
import { resolveRedirect } from './address.js';
import { brokenConnection, createWatch } from './deadline.js';
import type { Exchange, Sent, Timeouts } from './exchange.js';

export interface FetchExchangeOptions {
  readonly fetch: typeof fetch;
  /** Sent to the server of the address asked for, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  /** Redirects that are followed for one request. */
  readonly maxRedirects: number;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Redirects that are not to be followed are StoreDeniedError. */
export function createFetchExchange(options: FetchExchangeOptions): Exchange {
  return {
    async send(method, address, headers, signal) {
      let at = address;
      for (let hops = 0; hops <= options.maxRedirects; hops++) {
        // What the store's own headers carry (credentials) is for its own server only.
        const own = at.origin === address.origin ? options.headers : {};
        const sent = await sendOnce(options, method, at, { ...own, ...headers }, signal);
        if (!redirects.has(sent.response.status)) return sent;
        sent.discard();
        at = resolveRedirect(at, sent.response.headers.get('location'));
      }
      throw new StoreUnavailableError(`the server redirects more than ${options.maxRedirects} times`);
    },
  };
}

async function sendOnce(
  { fetch: send, timeouts }: FetchExchangeOptions,
  method: 'GET' | 'HEAD',
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const watch = createWatch(signal);
  const response = await watch.bounded(
    // Bytes as they are: a compressed body would have other offsets and another length.
    send(address, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: watch.signal,
    }).catch(brokenConnection),
    timeouts.firstByteMs,
    'the server did not answer',
  );
  const reader = response.body?.getReader();
  return {
    response,
    async nextPiece() {
      if (reader === undefined) return undefined;
      const next = await watch.bounded(
        reader.read().catch(brokenConnection),
        timeouts.stallMs,
        'the server sent nothing more',
      );
      if (!next.done) return next.value;
      watch.release();
      return undefined;
    },
    discard: () => watch.stop(),
  };
}
