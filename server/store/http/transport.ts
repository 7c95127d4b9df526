/**
 * Sends requests over persistent connections, by undici without its streams, whose overhead would dominate reads of
 * many small parts. Redirects are not followed.
 */
import type * as Undici from 'undici';
import type { Timeouts } from './exchange.js';
import { Reply } from './reply.js';

export interface TransportRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly address: URL;
  /** Headers, including `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
}

export type HttpTransport = ReturnType<typeof createTransport>;

interface TransportOptions {
  /** Maximum number of open connections to one server. */
  readonly maxSockets: number;
  /** Maximum time for connecting, in milliseconds. */
  readonly connectMs: number;
}

/**
 * Time, in milliseconds, after which idle connections are closed. Servers close them too, some without
 * notice.
 */
const MAX_IDLE_MS = 15_000;

export function createTransport({ Agent }: typeof Undici, { maxSockets, connectMs }: TransportOptions) {
  const agent = new Agent({
    connections: maxSockets,
    pipelining: 1,
    keepAliveTimeout: MAX_IDLE_MS,
    connect: { timeout: connectMs },
  });
  return {
    /**
     * Sends a request and waits for the head of its response.
     * @throws TransientFailure for network errors and timeouts; AbortedError if the signal fires
     */
    send({ method, address, headers, body, timeouts, signal }: TransportRequest): Promise<Reply> {
      const reply = new Reply(timeouts, signal);
      const request: Undici.Dispatcher.DispatchOptions = {
        method,
        origin: address.origin,
        path: address.pathname + address.search,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        headersTimeout: timeouts.firstByteMs,
        bodyTimeout: timeouts.stallMs,
        // Without this option, undici would close the connection after each HEAD, in case the server sends a
        // body.
        reset: false,
      };
      if (!reply.isOver) agent.dispatch(request, reply);
      return reply.started();
    },
    /** Closes all connections. */
    close(): void {
      agent.destroy().catch(() => {});
    },
  };
}
