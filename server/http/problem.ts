import type { BusyError } from '../memory/busy-error.js';
import type { LimitError } from '../zarr/index.js';

/** What is wrong with a request before GraphQL sees it. Shaped as a GraphQL error, so that clients need one reader. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The body of the answer. */
export function problemText(problem: Problem, requestId: string): string {
  const extensions = { code: problem.code, ...problem.extensions, requestId };
  return `${JSON.stringify({ errors: [{ message: problem.message, extensions }] })}\n`;
}

export function bodyTooLarge(maxBodyBytes: number, needed?: number): Problem {
  const size = needed === undefined ? 'is larger than' : `of ${needed} bytes is larger than`;
  return {
    status: 413,
    code: 'LIMIT_EXCEEDED',
    message: `the body ${size} the ${maxBodyBytes} bytes that maxBodyBytes allows; ask for less at once, or raise that option`,
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
    message: `a body with the content encoding ${quoted(coding)} is not decoded; send it as it is`,
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

/** What a request may never have, before GraphQL sees it. */
export function tooLarge({ code, message, excess }: LimitError): Problem {
  return { status: 413, code, message, extensions: { ...excess[0] } };
}

export function unknownPath(path: string, paths: readonly string[]): Problem {
  return {
    status: 404,
    code: 'NOT_FOUND',
    message: `nothing is served at ${quoted(path)}; there are ${paths.join(', ')}`,
  };
}

export function wrongMethod(method: string, path: string, allowed: readonly string[]): Problem {
  return {
    status: 405,
    code: 'BAD_INPUT',
    message: `${quoted(path)} does not take ${method}, only ${allowed.join(', ')}`,
    headers: { allow: allowed.join(', ') },
  };
}

export function hostRefused(host: string): Problem {
  return {
    status: 403,
    code: 'FORBIDDEN',
    message: `the gateway does not answer to the host name ${quoted(host)}; allow it with --allowed-host (or --public-url, behind a proxy)`,
  };
}

export function originRefused(origin: string): Problem {
  return {
    status: 403,
    code: 'FORBIDDEN',
    message: `pages of ${quoted(origin)} may not ask this gateway; allow them with --cors-origin`,
  };
}

export const forbiddenMetrics: Problem = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'no role of this caller may see metrics; give one of them "metrics: true"',
};

export function timedOut(requestTimeoutMs: number): Problem {
  return {
    status: 504,
    code: 'ABORTED',
    message: `no answer within the ${requestTimeoutMs} ms that requestTimeoutMs allows; what was under way is stopped`,
  };
}

export const internalProblem: Problem = {
  status: 500,
  code: 'INTERNAL',
  message: 'an unexpected error; the log of the gateway has it under the request id',
};

/** A client's text, short enough and harmless in a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
