import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { CallerOptions, RawResponse } from '../../server/gateway/options.js';
import { createProcessMemory } from '../../server/memory/process-memory.js';
import { createMetrics, type Metrics } from '../../server/http/metrics.js';
import type { HttpConfig, HttpServer, HttpServerParts } from '../../server/http/options.js';
import { createHttpServer } from '../../server/http/server.js';
import { loggerTo } from './log-lines.js';

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
  drainTimeoutMs: 20_000,
  explorer: false,
  graphiql: false,
  compression: false,
  trustedProxies: 0,
  maxClientRequests: 0,
  maxClientCost: 0,
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
  const memory = createProcessMemory({ maxBytes: 2 ** 30, maxRequestBytes: 2 ** 28, waitMs: 1000 });
  const server = createHttpServer({
    config: { ...config, ...options },
    gateway: {
      handleOperation: async ({ query, ...init }, caller) => {
        const url = `http://localhost/graphql${query === '' ? '' : `?${query}`}`;
        return rawOf(await fetch(new Request(url, init), caller));
      },
      handleFile: () => Promise.reject(new Error('this test has no files')),
      handleTile: () => Promise.reject(new Error('this test has no tiles')),
      handlePage: () => undefined,
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

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** Reuses the connection. @default a connection for this request alone */
  readonly agent?: Agent;
  /** A list is written in parts without a Content-Length. */
  readonly body?: string | readonly string[];
}

/** A request on a separate connection with custom headers, including Host. */
export function ask(port: number, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', path = '/graphql', headers = {}, agent = false, body } = asked;
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
 * Sends requests, one after the other: then the server has also completed the work that was due before the
 * last one.
 */
export async function takeTurns(port: number, count = 30): Promise<void> {
  for (let i = 0; i < count; i++) await ask(port, { path: '/healthz' });
}

/** Polls a condition until it holds or the test times out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
