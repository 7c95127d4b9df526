/**
 * GET and HEAD over persistent connections. Requests need little CPU time, because reads of many small parts depend on
 * it: bodies are received into their own memory, and there is no stream and no object per event.
 */
import type { Timeouts } from '../http/exchange.js';
import { Connection, type Endpoint } from './connection.js';
import { Reply } from './reply.js';

export interface TransportRequest {
  readonly method: 'GET' | 'HEAD';
  readonly address: URL;
  /** With `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
}

export interface Transport {
  /**
   * Sends a request and waits for the head of its response. The caller limits the number of concurrent requests.
   * @throws TransientFailure for network errors and timeouts; AbortedError
   */
  send(request: TransportRequest): Promise<Reply>;
  /** Closes all connections. */
  close(): void;
}

/** Connections that were unused for longer are not used again: servers close them, some without notice. */
const MAX_FREE_MS = 30_000;

export function createTransport(): Transport {
  const pools = new Map<string, Pool>();
  return {
    send(request) {
      const { method, address, timeouts, signal } = request;
      const reply = new Reply({ method, text: textOf(request), timeouts, signal });
      let pool = pools.get(address.origin);
      if (pool === undefined) pools.set(address.origin, (pool = new Pool(endpointOf(address))));
      if (!reply.isOver) pool.send(reply);
      return reply.started();
    },
    close() {
      for (const pool of pools.values()) pool.close();
      pools.clear();
    },
  };
}

/** Connections to one server. */
class Pool {
  readonly #endpoint: Endpoint;
  readonly #all = new Set<Connection>();
  /** The last one was used last. */
  readonly #free: Connection[] = [];
  #session: Buffer | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  send(reply: Reply): void {
    (this.#reusable() ?? this.#open()).send(reply);
  }

  close(): void {
    for (const connection of this.#all) connection.destroy();
  }

  #reusable(): Connection | undefined {
    const oldest = performance.now() - MAX_FREE_MS;
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) {
      if (free.freeSince > oldest) return free;
      free.destroy();
    }
    return undefined;
  }

  #open(): Connection {
    const connection = new Connection(
      this.#endpoint,
      {
        free: (free) => void this.#free.push(free),
        closed: (closed) => {
          this.#all.delete(closed);
          const at = this.#free.indexOf(closed);
          if (at >= 0) this.#free.splice(at, 1);
        },
        resend: (reply) => this.#open().send(reply),
        session: (session) => {
          this.#session = session;
        },
      },
      this.#session,
    );
    this.#all.add(connection);
    return connection;
  }
}

function endpointOf({ protocol, hostname, port }: URL): Endpoint {
  const isSecure = protocol === 'https:';
  return {
    isSecure,
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  };
}

/** @throws TypeError for a header that would change the meaning of the request */
function textOf({ method, address, headers }: TransportRequest): string {
  let text = `${method} ${address.pathname}${address.search} HTTP/1.1\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new TypeError(`the header ${name} has invalid characters`);
    text += `${name}: ${value}\r\n`;
  }
  return `${text}connection: keep-alive\r\n\r\n`;
}
