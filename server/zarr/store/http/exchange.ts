/** One HTTP request: sent, redirected, bounded in time. What the answer means is not known here. */
import { AbortedError, StoreUnavailableError } from '../../errors.js';
import { resolveRedirect } from './address.js';

export interface Timeouts {
  /** From sending to the head of the answer. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
  readonly stallMs: number;
}

export interface Exchange {
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
}

export interface Sent {
  readonly response: Response;
  /** The next piece of the body; undefined at its end. */
  nextPiece(): Promise<Uint8Array | undefined>;
  /** Gives the connection up, or back; the body is not read further. */
  discard(): void;
}

/** A failure that another try may not meet. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  /** What the server asked to wait. */
  readonly afterMs: number | undefined;

  constructor(message: string, options: { cause?: unknown; afterMs?: number | undefined } = {}) {
    super(message, { cause: options.cause });
    this.afterMs = options.afterMs;
  }
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and returns when the head of the answer is there.
 * @throws TransientFailure for what the network or a timeout did; StoreDeniedError for redirects that are not followed;
 * AbortedError
 */
export async function sendRequest(
  exchange: Exchange,
  method: 'GET' | 'HEAD',
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  let at = address;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    // What the store's own headers carry (credentials) is for its own server only.
    const own = at.origin === address.origin ? exchange.headers : {};
    const sent = await sendOnce(exchange, method, at, { ...own, ...headers }, signal);
    if (!redirects.has(sent.response.status)) return sent;
    sent.discard();
    at = resolveRedirect(at, sent.response.headers.get('location'));
  }
  throw new StoreUnavailableError(`the server redirects more than ${maxRedirects} times`);
}

async function sendOnce(
  exchange: Exchange,
  method: 'GET' | 'HEAD',
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const stop = new AbortController();
  const forward = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const release = (): void => signal?.removeEventListener('abort', forward);

  /** Waits for the network, but not for ever; its failures are all of one kind. */
  async function bounded<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop.abort();
    }, ms);
    try {
      return await work;
    } catch (cause) {
      release();
      if (signal?.aborted) throw new AbortedError('the request was cancelled', { cause: signal.reason });
      if (isLate) throw new TransientFailure(`${what} within ${ms} ms`, { cause });
      throw new TransientFailure(`the connection failed (${codeOfCause(cause)})`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  const response = await bounded(
    // Bytes as they are: a compressed body would have other offsets and another length.
    exchange.fetch(address, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: stop.signal,
    }),
    exchange.timeouts.firstByteMs,
    'the server did not answer',
  );
  const reader = response.body?.getReader();
  return {
    response,
    async nextPiece() {
      if (reader === undefined) return undefined;
      const next = await bounded(reader.read(), exchange.timeouts.stallMs, 'the server sent nothing more');
      if (!next.done) return next.value;
      release();
      return undefined;
    },
    discard() {
      release();
      stop.abort();
    },
  };
}

function codeOfCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'reset';
}
