import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationFailure, OperationRecord } from '../gateway/options.js';
import { type MemoryLease, noMemory } from '../memory/lease.js';
import { clientAddress } from './client-address.js';
import { type Problem, problemText } from './problem.js';
import { requestIdOf } from './request-id.js';
import { type MalformedTarget, parseTarget, type RequestTarget } from './request-target.js';

/** One request with its answer, and what will be said of them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
  /** The client's address; a connection that is closed has none any more. */
  readonly address: string;
  readonly method: string;
  /** Where the request goes: the only parse of it. */
  readonly target: RequestTarget | MalformedTarget;
  /** Path without the query, for routes and the log; `-` for a malformed target. */
  readonly path: string;
  /** Headers that every answer carries. */
  readonly headers: Record<string, string>;
  route: string;
  responseBytes: number;
  operation: OperationRecord | undefined;
  /** Why there is no answer of an operation: `extensions.code` of the problem. */
  problemCode: string | undefined;
  /** Of a file that could not be made. */
  failure: OperationFailure | undefined;
  /** Who asks, where a token says so. */
  caller: string | undefined;
  /** By what clients are told apart: the token's name, else the address. */
  client: string;
  /** What the request holds of the memory of the process, from when it is admitted. */
  memory: MemoryLease;
  /** The client was disconnected for taking its answer too slowly. */
  tooSlow: boolean;
  /** When the token stops being good (milliseconds since 1970). */
  callerUntilMs: number | undefined;
}

/** What every response says beside its own headers. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The page of GraphiQL has a policy of its own; nothing else runs or loads anything.
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

/** Answers with a small body. */
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

/** Answers with what is wrong; if the answer has begun already, cuts the connection. */
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
