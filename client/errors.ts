/**
 * The one hierarchy of what this package throws. Branch on `code` by {@link isZarrqlError}; the classes say where an
 * error came from: {@link GatewayError} from the gateway, {@link TransportError} from the way there,
 * {@link InputError} and {@link DataTypeError} from this package itself.
 */
import type { ErrorCode } from '../wire/error-codes.js';

/** What the gateway says; UNKNOWN where it gave a code that this version does not know (see `extensions.code`). */
export type GatewayErrorCode = ErrorCode | 'UNKNOWN';

/**
 * - NETWORK: no answer came (no connection, no such host, the answer broke off)
 * - TIMEOUT: `timeoutMs` ran out
 * - STALLED: nothing came for `stallMs`
 * - ABORTED: the caller's AbortSignal fired
 * - HTTP: an HTTP status that is no success, without GraphQL errors in the answer
 * - BAD_RESPONSE: the answer is not what a gateway answers
 * - TOO_LARGE: the answer, or an event, is larger than `maxResponseBytes`
 */
export type TransportErrorCode =
  'NETWORK' | 'TIMEOUT' | 'STALLED' | 'ABORTED' | 'HTTP' | 'BAD_RESPONSE' | 'TOO_LARGE';

export type ZarrqlErrorCode = GatewayErrorCode | TransportErrorCode | 'DTYPE_MISMATCH';

/** Base of everything that this package throws on purpose. */
export abstract class ZarrqlError extends Error {
  abstract readonly code: ZarrqlErrorCode;
}

/** A bound that a request passes: what is allowed and what it would need, in the limit's own unit. */
export interface LimitExcess {
  readonly limit: string;
  readonly allowed: number | string;
  readonly needed: number | string;
}

export interface GatewayErrorInit {
  readonly code: GatewayErrorCode;
  /** Where in the answer, for example `['store', 'array', 'slice']`; undefined where the whole request failed. */
  readonly fieldPath?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** The HTTP status of the answer. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** An error that the gateway reported. */
export class GatewayError extends ZarrqlError {
  override readonly name: string = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly fieldPath: readonly (string | number)[] | undefined;
  /** Everything the gateway said beside the message. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;

  constructor(message: string, init: GatewayErrorInit) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.fieldPath = init.fieldPath;
    this.extensions = init.extensions ?? {};
    this.status = init.status;
  }

  /** The configured name of the store, where the error belongs to one. */
  get store(): string | undefined {
    return textOf(this.extensions['store']);
  }
  /** The node's path within the store. */
  get path(): string | undefined {
    return textOf(this.extensions['path']);
  }
  /** The key of the object within the store: a chunk's or a metadata document's. */
  get key(): string | undefined {
    return textOf(this.extensions['key']);
  }
  /** For LIMIT_EXCEEDED: which bound, how much is allowed, how much was needed. */
  get limit(): LimitExcess | undefined {
    const { limit, allowed, needed } = this.extensions;
    if (typeof limit !== 'string' || !isCount(allowed) || !isCount(needed)) return undefined;
    return { limit, allowed, needed };
  }
}

/**
 * What `client.request` throws: the first error of the answer, with all of them in `errors` and what was answered
 * all the same in `data`.
 */
export class RequestError extends GatewayError {
  override readonly name = 'RequestError';
  readonly errors: readonly GatewayError[];
  /** The answer's data, null where errors stand; undefined where nothing was executed. */
  readonly data: unknown;

  constructor(errors: readonly [GatewayError, ...GatewayError[]], data: unknown) {
    const [first, ...others] = errors;
    super(others.length === 0 ? first.message : `${first.message} (and ${others.length} more errors)`, {
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

/** The request did not come through, or its answer did not come back whole. */
export class TransportError extends ZarrqlError {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** How long the server asked to wait (`Retry-After`). */
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

/** An argument is wrong; nothing was sent. */
export class InputError extends ZarrqlError {
  override readonly name = 'InputError';
  readonly code: 'BAD_INPUT' | 'BAD_SELECTION';

  constructor(code: 'BAD_INPUT' | 'BAD_SELECTION', message: string) {
    super(message);
    this.code = code;
  }
}

/** The array has another data type than the caller said. */
export class DataTypeError extends ZarrqlError {
  override readonly name = 'DataTypeError';
  readonly code = 'DTYPE_MISMATCH';
  readonly expected: readonly string[];
  readonly actual: string;

  constructor(expected: readonly string[], actual: string, where: string) {
    super(`${where} has data type ${actual}, asked for as ${expected.join(' or ')}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** Whether `error` was thrown by this package and (where codes are given) has one of these. */
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
