import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationRecord } from '../gateway/options.js';
import { type Problem, problemText } from './problem.js';
import { requestIdOf } from './request-id.js';

/** One request with its answer, and what will be said of them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
  readonly method: string;
  /** Path without the query, as it came. */
  readonly path: string;
  /** Headers that every answer carries. */
  readonly headers: Record<string, string>;
  route: string;
  responseBytes: number;
  operation: OperationRecord | undefined;
  /** Who asks, where a token says so. */
  caller: string | undefined;
  /** When the token stops being good (milliseconds since 1970). */
  callerUntilMs: number | undefined;
}

/** What every response says beside its own headers. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "frame-ancestors 'none'",
} as const;

export function createExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const id = requestIdOf(incoming.headers['x-request-id']);
  return {
    incoming,
    outgoing,
    id,
    method: incoming.method ?? 'GET',
    path: pathOf(incoming.url ?? '/'),
    headers: { ...fixedHeaders, 'x-request-id': id },
    route: 'other',
    responseBytes: 0,
    operation: undefined,
    caller: undefined,
    callerUntilMs: undefined,
  };
}

/** The path of a request target: also of the absolute form that proxies use. */
function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
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
  answer(exchange, problem.status, problemText(problem, exchange.id), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...problem.headers,
  });
}
