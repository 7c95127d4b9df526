import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CallerOptions, RawResponse } from '../../server/gateway/options.js';
import { createMetrics, type Metrics } from '../../server/http/metrics.js';
import type { HttpConfig, HttpServer, HttpServerParts } from '../../server/http/options.js';
import { createHttpServer } from '../../server/http/server.js';
import { MemoryBudget } from '../../server/memory/budget.js';

type GatewayParts = HttpServerParts['gateway'];
export type Fetch = (request: Request, caller: CallerOptions) => Promise<Response>;

export interface Serving {
  readonly server: HttpServer;
  readonly port: number;
  readonly metrics: Metrics;
  /** Log entries: the message merged with the fields. */
  readonly log: Record<string, unknown>[];
}

const config: HttpConfig = {
  host: '127.0.0.1',
  port: 0,
  corsOrigins: ['https://page.example'],
  publicUrl: undefined,
  allowedHosts: [],
  maxBodyBytes: 1000,
  requestTimeoutMs: 20_000,
  receiveTimeoutMs: 20_000,
  idleTimeoutMs: 60_000,
  slowRequestMs: 0,
  drainTimeoutMs: 20_000,
  explorer: false,
  graphiql: false,
  compression: false,
  trustedProxies: 0,
  maxClientRequests: 0,
  maxClientCost: 0,
  maxClientConnections: 100,
  maxConnectionOperations: 100,
  minClientBytesPerSecond: 0,
};

/** The HTTP server with a fake gateway. */
export async function serve(
  fetch: Fetch,
  options: Partial<HttpConfig> = {},
  more: Partial<GatewayParts> = {},
  parts: Pick<HttpServerParts, 'stores'> = {},
): Promise<Serving> {
  const log: Record<string, unknown>[] = [];
  const logger = loggerTo(log);
  const metrics = createMetrics();
  const memory = new MemoryBudget({ maxBytes: 2 ** 30, maxRequestBytes: 2 ** 28, waitMs: 1000 });
  const server = createHttpServer({
    config: { ...config, ...options },
    gateway: {
      handleOperation: async ({ query, ...init }, caller) => {
        const url = `http://localhost/graphql${query === '' ? '' : `?${query}`}`;
        return rawOf(await fetch(new Request(url, init), caller));
      },
      handleMessage: () => Promise.reject(new Error('this test has no messages')),
      handleFile: () => Promise.reject(new Error('this test has no files')),
      handleTile: () => Promise.reject(new Error('this test has no tiles')),
      handleZarr: () => Promise.reject(new Error('this test has no Zarr stores')),
      handlePage: () => undefined,
      handleSchema: () => Promise.reject(new Error('this test has no schemas of stores')),
      memory,
      ...more,
    },
    logger,
    metrics,
    ...parts,
  });
  const address = await server.listen();
  onTestFinished(async () => {
    // The second call does not wait for requests in flight.
    await Promise.all([server.close(), server.close()]);
  });
  return { server, port: Number(new URL(address).port), metrics, log };
}

function rawOf({ status, headers, body }: Response): RawResponse {
  return { status, headers: Object.fromEntries(headers), body };
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface SentRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** Agent that shares connections between requests. @default a separate connection */
  readonly agent?: Agent;
  /** The body. A list is written in parts without a Content-Length. */
  readonly body?: string | readonly string[];
}

/** Sends a request, on a separate connection unless an agent is given. The headers may include Host. */
export function send(port: number, sent: SentRequest = {}): Promise<HttpReply> {
  const { method = 'GET', path = '/graphql', headers = {}, agent = false, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(parts).toString(),
        });
      });
    });
    outgoing.on('error', reject);
    if (Array.isArray(body)) for (const part of body) outgoing.write(part);
    if (typeof body === 'string') outgoing.setHeader('content-length', Buffer.byteLength(body)).end(body);
    else outgoing.end();
  });
}

/**
 * Sends requests one after the other. When the last one ends, the server has completed all work that was due before.
 */
export async function takeTurns(port: number, count = 30): Promise<void> {
  for (let i = 0; i < count; i++) await send(port, { path: '/healthz' });
}

/** Polls a condition until it holds or the test times out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/**
 * Sends a request that HTTP clients reject. Returns everything that the server sends until it closes the connection.
 * @param text with HTTP line endings
 */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    // Does not call `end`, because Node drops a connection that the client has half closed. Latin-1, so
    // that the text can contain any byte.
    socket.write(Buffer.from(text, 'latin1'));
  });
}

/** The head of a request, after which the server closes the connection. */
export function requestText(target: string, headers: readonly string[] = [], method = 'GET'): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The statuses of all responses, in order. */
export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Creates a logger that stores its lines. */
export function loggerTo(log: Record<string, unknown>[]) {
  const writer =
    (level: string) =>
    (fields: object, message?: string): void => {
      log.push({ ...fields, level, msg: message });
    };
  return {
    info: writer('info'),
    debug: writer('debug'),
    warn: writer('warn'),
    error: writer('error'),
  };
}
