import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationFailure, OperationRecord } from '../gateway/options.js';
import { type MemoryLease, noMemory } from '../memory/lease.js';
import { clientAddress } from './client-address.js';
import { type Problem, problemText } from './problem.js';
import { type MalformedTarget, parseTarget, type RequestTarget } from './request-target.js';

/** One request and its response, with the data for the log and metrics. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
  /** The client's address. Stored here, because it is unavailable after the connection has closed. */
  readonly address: string;
  readonly method: string;
  /** Result of the only parse of the request target. */
  readonly target: RequestTarget | MalformedTarget;
  /** Path without the query, for routes and the log; `-` for a malformed target. */
  readonly path: string;
  /** Headers of every response. */
  readonly headers: Record<string, string>;
  route: string;
  responseBytes: number;
  operation: OperationRecord | undefined;
  /** `extensions.code` of the problem, if an operation was refused. */
  problemCode: string | undefined;
  /** Why a file could not be served. */
  failure: OperationFailure | undefined;
  /** Name of the caller, if the token contains one. */
  caller: string | undefined;
  /** Identifies the client for rate limits: the token's name, else the address. */
  client: string;
  /** The request's share of the memory budget, once it is admitted. */
  memory: MemoryLease;
  /** The client was disconnected because it read its response too slowly. */
  tooSlow: boolean;
  /** Expiry of the token, in milliseconds since 1970. */
  callerUntilMs: number | undefined;
}

/** Headers of every response. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No response may run or load anything, except GraphiQL's page, which overrides this policy.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export function createExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  trustedProxies: number,
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
    headers: { ...fixedHeaders, 'x-request-id': id },
    route: 'other',
    responseBytes: 0,
    operation: undefined,
    problemCode: undefined,
    failure: undefined,
    caller: undefined,
    client: '',
    memory: noMemory,
    tooSlow: false,
    callerUntilMs: undefined,
  };
}

/** Sends a small response. */
export function answer(
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
export function answerProblem(exchange: Exchange, problem: Problem): void {
  if (exchange.outgoing.headersSent) {
    exchange.outgoing.destroy();
    return;
  }
  exchange.problemCode = problem.code;
  answer(exchange, problem.status, problemText(problem, exchange.id), {
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
