import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { OperationFailure, OperationRecord } from '../gateway/options.js';
import { noMemory, type RequestMemory } from '../memory/budget.js';
import { type Problem, problemText } from './problem.js';
import type { RequestSpan } from './telemetry/telemetry.js';
import { type MalformedTarget, parseTarget, type RequestTarget } from './request-target.js';

/** One request and its response, with the data for the log and metrics. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
  /** The client's address. Stored here, because it is unavailable after the connection has closed. */
  readonly address: string;
  readonly method: string;
  /** The parsed request target. No other code parses the target. */
  readonly target: RequestTarget | MalformedTarget;
  /** Path without the query, for routes and the log; `-` for a malformed target. */
  readonly path: string;
  /** The query of the target, without the question mark; may be empty. */
  readonly query: string;
  /** Headers of the response, before those of its route. */
  readonly headers: Record<string, string>;
  route: string;
  responseBytes: number;
  /** The executed operations: several for a batch. */
  readonly operations: OperationRecord[];
  /** `extensions.code` of the problem, if the request was rejected. */
  problemCode: string | undefined;
  /** Why a file could not be served. */
  failure: OperationFailure | undefined;
  /** Name of the caller; undefined without a valid token. */
  caller: string | undefined;
  /** Identifies the client for rate limits: the token's name, else the address. */
  client: string;
  /** The request's share of the memory budget, once it is admitted. */
  memory: RequestMemory;
  /** Whether the client was disconnected because it read its response too slowly. */
  tooSlow: boolean;
  /** The bytes after the head of a request for a WebSocket; undefined for other requests. */
  readonly upgradeHead: Buffer | undefined;
  /** Whether the connection has become a WebSocket. */
  isUpgraded: boolean;
  /** Expiry of the token, in milliseconds since 1970. */
  callerUntilMs: number | undefined;
  /** Fires when permissions have changed since the caller was admitted. */
  rightsChanged: AbortSignal | undefined;
  /** The span of the request; undefined without telemetry. */
  span: RequestSpan | undefined;
}

/** Headers of every response. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No response may run or load anything, except the pages of GraphiQL and the explorer, which override this policy.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export function createExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  trustedProxies: number,
  upgradeHead?: Buffer,
): Exchange {
  const id = requestIdOf(incoming.headers['x-request-id']);
  const method = incoming.method ?? '';
  const target = parseTarget(method, incoming.url ?? '');
  return {
    incoming,
    outgoing,
    id,
    address: clientAddress(incoming, trustedProxies),
    method,
    target,
    path: 'path' in target ? target.path : '-',
    query: 'query' in target ? target.query : '',
    headers: { 'x-request-id': id, ...fixedHeaders },
    route: 'other',
    responseBytes: 0,
    operations: [],
    problemCode: undefined,
    failure: undefined,
    caller: undefined,
    client: '',
    memory: noMemory,
    tooSlow: false,
    upgradeHead,
    isUpgraded: false,
    callerUntilMs: undefined,
    rightsChanged: undefined,
    span: undefined,
  };
}

/**
 * Runs `action` when the response ends or its connection closes, or immediately if either has already
 * happened.
 */
export function onceClosed(outgoing: ServerResponse, action: () => void): void {
  if (outgoing.closed) action();
  else outgoing.once('close', action);
}

/** Sends a small response. */
export function respond(
  exchange: Exchange,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  const { outgoing, method } = exchange;
  const bytes = Buffer.from(body, 'utf8');
  outgoing.writeHead(status, { ...exchange.headers, ...headers, 'content-length': String(bytes.length) });
  if (method === 'HEAD' || bytes.length === 0) outgoing.end();
  else {
    exchange.responseBytes = bytes.length;
    outgoing.end(bytes);
  }
}

/** Sends a problem. If the response has already started, closes the connection instead. */
export function respondWithProblem(exchange: Exchange, problem: Problem): void {
  if (exchange.outgoing.headersSent) {
    exchange.outgoing.destroy();
    return;
  }
  exchange.problemCode = problem.code;
  respond(exchange, problem.status, problemText(problem, exchange.id), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...problem.headers,
  });
}

/** The request id given by a client or proxy if it is safe in logs and headers, else a new one. */
export function requestIdOf(incoming: string | readonly string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._:@/+=-]{1,100}$/.test(incoming)
    ? incoming
    : randomUUID();
}

/**
 * The address that identifies a client. Behind proxies, it is the address that the outermost trusted proxy
 * saw: the client may have forged the entries of `X-Forwarded-For` to the left of it. IPv6 addresses are
 * truncated to their first 64 bits, since one client usually owns the whole network.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress = '' } = socket;
  const address =
    trustedProxies === 0 ? remoteAddress : forwardedAddress(headers, remoteAddress, trustedProxies);
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(plain) ? networkOf(plain) : plain.slice(0, 64);
}

function forwardedAddress(
  headers: IncomingMessage['headers'],
  remoteAddress: string,
  trustedProxies: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .map((address) => address.trim());
  const hops = [...forwarded, remoteAddress];
  return withoutPort(hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? '');
}

/**
 * Removes the port that some proxies append to the client's address and that differs for every connection:
 * `1.2.3.4:5678`, `[2001:db8::1]:5678`.
 */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
}

/** The first 64 bits. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
