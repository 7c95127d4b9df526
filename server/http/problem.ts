import type { BusyError } from '../memory/busy-error.js';
import type { LimitError } from '../zarr/index.js';

/**
 * An error for a request that is rejected before GraphQL runs. It has the form of a GraphQL error, so that
 * clients need one parser.
 */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The response body. */
export function problemText(problem: Problem, requestId: string): string {
  return `${JSON.stringify({ errors: problemErrors(problem, requestId) })}\n`;
}

export function problemErrors({ code, message, extensions }: Problem, requestId: string): readonly object[] {
  return [{ message, extensions: { code, ...extensions, requestId } }];
}

export function bodyTooLarge(maxBodyBytes: number, needed?: number): Problem {
  const size = needed === undefined ? 'exceeds' : `of ${needed} bytes exceeds`;
  return {
    status: 413,
    code: 'LIMIT_EXCEEDED',
    message: `the body ${size} the ${maxBodyBytes} bytes that maxBodyBytes allows; send a smaller request, or raise that option`,
    extensions: { limit: 'maxBodyBytes', allowed: maxBodyBytes, ...(needed === undefined ? {} : { needed }) },
  };
}

export function malformedRequest(reason: string): Problem {
  return { status: 400, code: 'BAD_INPUT', message: `malformed request: ${reason}` };
}

export function encodedBody(coding: string): Problem {
  return {
    status: 415,
    code: 'BAD_INPUT',
    message: `unsupported content encoding ${quoted(coding)}; send the body without one`,
    headers: { 'accept-encoding': 'identity' },
  };
}

export function busy({ code, message, limit, allowed, needed, retryAfterSeconds }: BusyError): Problem {
  return {
    status: 503,
    code,
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
    extensions: { limit, allowed, needed, retryAfterSeconds },
  };
}

/** The response to a request that exceeds a limit which is checked before GraphQL runs. */
export function tooLargeProblem({ code, message, excess }: LimitError): Problem {
  return { status: 413, code, message, extensions: { ...excess[0] } };
}

export function unknownPath(path: string, paths: readonly string[]): Problem {
  return {
    status: 404,
    code: 'NOT_FOUND',
    message: `nothing is served at ${quoted(path)}; expected one of ${paths.join(', ')}`,
  };
}

export function wrongMethod(method: string, path: string, allowed: readonly string[]): Problem {
  return {
    status: 405,
    code: 'BAD_INPUT',
    message: `${quoted(path)} does not support ${method}; use ${allowed.join(', ')}${method === 'POST' && path === '/' ? ', or send GraphQL to /graphql' : ''}`,
    headers: { allow: allowed.join(', ') },
  };
}

/** The response to a request for a WebSocket that the gateway does not serve. */
export function wrongUpgrade(message: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return {
    status: 426,
    code: 'BAD_INPUT',
    message,
    headers: { upgrade: 'websocket', connection: 'close, upgrade', ...headers },
  };
}

/** The response to a further WebSocket or event stream of a client. */
export function tooManyConnections(allowed: number): Problem {
  return {
    status: 429,
    code: 'LIMIT_EXCEEDED',
    message: `maxClientConnections allows ${allowed} WebSockets and reserved event streams per client; close one of them first`,
    headers: { 'retry-after': '1' },
    extensions: { limit: 'maxClientConnections', allowed, needed: allowed + 1, retryAfterSeconds: 1 },
  };
}

export function tooManyOperations(allowed: number): Problem {
  return {
    status: 429,
    code: 'LIMIT_EXCEEDED',
    message: `maxConnectionOperations allows ${allowed} concurrent operations per connection; complete one of them first`,
    extensions: { limit: 'maxConnectionOperations', allowed, needed: allowed + 1 },
  };
}

export const unknownEventStream: Problem = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'no event stream of this client has the token; reserve one with PUT, and open it in time',
};

export const eventStreamIsOpen: Problem = {
  status: 409,
  code: 'CONFLICT',
  message: 'the event stream of this token is already open; reserve another one with PUT',
};

export function operationExists(id: string): Problem {
  return {
    status: 409,
    code: 'CONFLICT',
    message: `an operation of this event stream has the id ${quoted(id)}; use another id`,
  };
}

export const eventStreamNotAcceptable: Problem = {
  status: 406,
  code: 'BAD_INPUT',
  message:
    'the "Accept" header does not allow text/event-stream, which the token of an event stream requires',
};

export const unsupportedBodyProblem: Problem = {
  status: 415,
  code: 'BAD_INPUT',
  message:
    'the body must be JSON or CBOR, with "Content-Type: application/json" or "Content-Type: application/cbor"',
};

export const shuttingDown: Problem = {
  status: 503,
  code: 'ABORTED',
  message: 'the gateway is shutting down; connect again',
};

export function hostRefused(host: string): Problem {
  return {
    status: 403,
    code: 'FORBIDDEN',
    message: `host name ${quoted(host)} is not allowed; allow it with --allowed-host (or --public-url, behind a proxy)`,
  };
}

export function originRefused(origin: string): Problem {
  return {
    status: 403,
    code: 'FORBIDDEN',
    message: `origin ${quoted(origin)} is not allowed; allow it with --cors-origin`,
  };
}

export const forbiddenMetrics: Problem = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'no role of this caller permits metrics; set "metrics: true" for one of them',
};

function timedOut(requestTimeoutMs: number): Problem {
  return {
    status: 504,
    code: 'ABORTED',
    message: `the request took longer than requestTimeoutMs (${requestTimeoutMs} ms) and was aborted`,
  };
}

/** @param reason the reason of the signal that aborted a request */
export function abortProblem(reason: unknown, requestTimeoutMs: number): Problem {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') return timedOut(requestTimeoutMs);
  return {
    status: 503,
    code: 'ABORTED',
    message: 'the request was aborted, because the gateway is shutting down; try again',
  };
}

export const internalProblem: Problem = {
  status: 500,
  code: 'INTERNAL',
  message: 'internal error; the gateway logged the cause under the request id',
};

/** Truncates and escapes a client's text for a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
