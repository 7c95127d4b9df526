import { TransportError, ZarrqlError } from '../errors.js';
import type { ResolvedOptions } from '../options.js';
import { delay, reasonOf, untilAborted } from './deadline.js';
import { isRepeatable } from './document.js';
import { parseResponse } from './response.js';
import type { GraphQLResult } from './response.js';
import { isRetryStatus, parseRetryAfter, planRetry } from './retry.js';

/** One GraphQL request, ready to be sent. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables: unknown;
}

/** Sends a request until it has an answer, an error that stays, or the signal fires (whose reason is thrown). */
export type Send = (request: GraphQLRequest, signal: AbortSignal) => Promise<GraphQLResult>;

/** GraphQL over HTTP by POST, with retries. The result's errors are not thrown here. */
export function createHttpTransport(options: ResolvedOptions): Send {
  return async (request, signal) => {
    const body = writeBody(request);
    const policy = isRepeatable(request.query) ? options : { ...options, retries: 0 };
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) throw reasonOf(signal);
      try {
        return await post(body, options, signal);
      } catch (error) {
        if (signal.aborted) throw reasonOf(signal);
        const waitMs = planRetry(error, attempt, policy);
        if (waitMs === undefined) throw error;
        await delay(waitMs, signal);
      }
    }
  };
}

async function post(body: string, options: ResolvedOptions, signal: AbortSignal): Promise<GraphQLResult> {
  const extra = typeof options.headers === 'function' ? await options.headers() : options.headers;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json;q=0.9',
    ...lowerCase(extra),
  };
  const { head, text } = await untilAborted(fetchText(body, headers, options, signal), signal);
  const result = parseResponse(text, head);
  if (!isRetryStatus(head.status)) return result;
  const reason = result.errors[0]?.message ?? 'no reason given';
  throw new TransportError('HTTP', `the gateway answered with HTTP status ${head.status}: ${reason}`, {
    ...head,
    cause: result.errors[0],
  });
}

async function fetchText(
  body: string,
  headers: Record<string, string>,
  options: ResolvedOptions,
  signal: AbortSignal,
) {
  try {
    const response = await options.fetch(options.url, { method: 'POST', headers, body, signal });
    const head = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    };
    return { head, text: await response.text() };
  } catch (error) {
    if (error instanceof ZarrqlError) throw error;
    throw new TransportError('NETWORK', `no answer from ${placeOf(options.url)}: ${describe(error)}`, {
      cause: error,
    });
  }
}

/** BigInt variables travel as the decimal strings that the scalar BigInt takes. */
function writeBody(request: GraphQLRequest): string {
  return JSON.stringify(request, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Without user name, password and query: messages are logged. */
function placeOf(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

/** `fetch failed` tells nothing; its cause (ECONNREFUSED ...) does. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
