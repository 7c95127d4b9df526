/**
 * The errors of this package. Branch on `code` with {@link isZarrqlError}. The class identifies the origin: {@link
 * GatewayError} from the gateway, {@link TransportError} from the connection, {@link InputError} and {@link
 * DataTypeError} from this package.
 */
import type { ErrorCode } from '../wire/error-codes.js';

/** A code of the gateway; UNKNOWN for a code that this version does not know (see `extensions.code`). */
export type GatewayErrorCode = ErrorCode | 'UNKNOWN';

/**
 * - NETWORK: no response (connection refused, unknown host, interrupted response)
 * - TIMEOUT: `timeoutMs` was exceeded
 * - STALLED: no data for `stallMs`
 * - ABORTED: the caller's AbortSignal fired
 * - HTTP: a status other than 2xx without GraphQL errors in the response, or 429, 502, 503 or 504
 * - BAD_RESPONSE: not a valid response of a gateway
 * - TOO_LARGE: a response or event larger than `maxResponseBytes`
 */
export type TransportErrorCode =
  'NETWORK' | 'TIMEOUT' | 'STALLED' | 'ABORTED' | 'HTTP' | 'BAD_RESPONSE' | 'TOO_LARGE';

export type ZarrqlErrorCode = GatewayErrorCode | TransportErrorCode | 'DTYPE_MISMATCH';

/** Base class of the errors of this package. */
export abstract class ZarrqlError extends Error {
  abstract readonly code: ZarrqlErrorCode;
}

/** A limit that a request exceeds, in the unit of the limit. */
export interface LimitExcess {
  readonly limit: string;
  readonly allowed: number | string;
  readonly needed: number | string;
}

export interface GatewayErrorInit {
  readonly code: GatewayErrorCode;
  /** Path of the failed field, for example `['store', 'array', 'slice']`; undefined if the whole request failed. */
  readonly fieldPath?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** An error reported by the gateway. */
export class GatewayError extends ZarrqlError {
  override readonly name: string = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly fieldPath: readonly (string | number)[] | undefined;
  /** Further details from the gateway. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;

  constructor(message: string, init: GatewayErrorInit) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.fieldPath = init.fieldPath;
    this.extensions = init.extensions ?? {};
    this.status = init.status;
  }

  /** Name of the store, if the error belongs to one. */
  get store(): string | undefined {
    return textOf(this.extensions['store']);
  }
  /** Path of the node within the store. */
  get path(): string | undefined {
    return textOf(this.extensions['path']);
  }
  /** Key of the chunk or metadata document within the store. */
  get key(): string | undefined {
    return textOf(this.extensions['key']);
  }
  /** For LIMIT_EXCEEDED: the limit, the allowed amount and the required amount. */
  get limit(): LimitExcess | undefined {
    const { limit, allowed, needed } = this.extensions;
    if (typeof limit !== 'string' || !isCount(allowed) || !isCount(needed)) return undefined;
    return { limit, allowed, needed };
  }
}

/**
 * Thrown for failed requests of one result, such as `client.request`: the first error of the response, with all errors
 * in `errors` and partial data in `data`.
 */
export class RequestError extends GatewayError {
  override readonly name = 'RequestError';
  readonly errors: readonly GatewayError[];
  /** Partial data of the response, null for failed fields; undefined if nothing was executed. */
  readonly data: unknown;

  constructor(errors: readonly [GatewayError, ...GatewayError[]], data: unknown) {
    const [first, ...others] = errors;
    super(others.length === 0 ? first.message : `${first.message} (and ${others.length} more)`, {
      code: first.code,
      fieldPath: first.fieldPath,
      extensions: first.extensions,
      status: first.status,
      cause: first,
    });
    this.errors = errors;
    this.data = data;
  }
}

/** The request failed in transit, or the response was incomplete, malformed or too large. */
export class TransportError extends ZarrqlError {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Wait requested by the server (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: TransportErrorCode,
    message: string,
    init: { status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = code;
    this.status = init.status;
    this.retryAfterMs = init.retryAfterMs;
  }
}

/** An invalid argument, found before it is sent to the gateway. */
export class InputError extends ZarrqlError {
  override readonly name = 'InputError';
  readonly code: 'BAD_INPUT' | 'BAD_SELECTION';

  constructor(code: 'BAD_INPUT' | 'BAD_SELECTION', message: string) {
    super(message);
    this.code = code;
  }
}

/** The data type of an array differs from the expected one. */
export class DataTypeError extends ZarrqlError {
  override readonly name = 'DataTypeError';
  readonly code = 'DTYPE_MISMATCH';
  readonly expected: readonly string[];
  readonly actual: string;

  constructor(expected: readonly string[], actual: string, where: string) {
    super(`${where} has data type ${actual}; expected ${[...new Set(expected)].join(' or ')}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/**
 * Whether `error` is an error of this package and, if codes are given, has one of them.
 *
 * @example
 * if (isZarrqlError(error, 'NOT_FOUND', 'TIMEOUT')) console.log(error.code);
 */
export function isZarrqlError<C extends ZarrqlErrorCode = ZarrqlErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ZarrqlError & { readonly code: C } {
  return error instanceof ZarrqlError && (codes.length === 0 || codes.some((code) => code === error.code));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isCount(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

/** Converts an error of `fetch` to NETWORK. Errors of this package remain unchanged. */
export function networkError(error: unknown, url: string): ZarrqlError {
  if (error instanceof ZarrqlError) return error;
  return new TransportError('NETWORK', `no response from ${shownUrl(url)}: ${describe(error)}`, {
    cause: error,
  });
}

/** The URL without user name, password, query and fragment, because messages are logged. */
export function shownUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

/** Includes the cause, such as ECONNREFUSED, because `fetch failed` is not sufficient. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/**
 * Runs code that relies on the generated types of a response. Converts exceptions other than a ZarrqlError to an error
 * for a malformed response.
 * @throws TransportError BAD_RESPONSE; a ZarrqlError of the code
 */
export function rejectMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZarrqlError) throw error;
    throw new TransportError('BAD_RESPONSE', 'the response does not match the schema', {
      cause: error,
    });
  }
}
