/**
 * Converts errors to the form that clients may see. All errors are converted here. Messages of unexpected
 * errors may contain addresses and paths, and are never sent.
 */
import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../wire/error-codes.js';
import { BusyError } from '../memory/busy-error.js';
import { LimitError, ZarrError } from '../zarr/index.js';
import { countValue } from './scalars/big-int.js';
import { ForbiddenError } from './access/caller-rights.js';

export type { ErrorCode };

interface ErrorPolicy {
  /** HTTP status if the whole request fails with this error. */
  readonly status: number;
  /** Whether clients receive an id instead of the message; the log has both. */
  readonly hidden: boolean;
  /** Whether the client did not cause the error. The log then contains its message and causes. */
  readonly isOurs?: true;
}

/** One row per code. The tag of an error class is its code, so a new class without a row does not compile. */
export const errorTable: Readonly<Record<ErrorCode, ErrorPolicy>> = {
  NOT_FOUND: { status: 404, hidden: false },
  BAD_SELECTION: { status: 400, hidden: false },
  BAD_INPUT: { status: 400, hidden: false },
  INVALID_METADATA: { status: 422, hidden: false, isOurs: true },
  UNSUPPORTED: { status: 422, hidden: false, isOurs: true },
  CODEC_ERROR: { status: 422, hidden: false, isOurs: true },
  CHECKSUM_MISMATCH: { status: 422, hidden: false, isOurs: true },
  LIMIT_EXCEEDED: { status: 413, hidden: false },
  STORE_UNAVAILABLE: { status: 503, hidden: false, isOurs: true },
  STORE_DENIED: { status: 502, hidden: false, isOurs: true },
  READ_ONLY: { status: 403, hidden: false },
  ALREADY_EXISTS: { status: 409, hidden: false },
  CONFLICT: { status: 409, hidden: false },
  UNAUTHENTICATED: { status: 401, hidden: false },
  FORBIDDEN: { status: 403, hidden: false },
  ABORTED: { status: 499, hidden: false },
  INTERNAL: { status: 500, hidden: true, isOurs: true },
};

/** Receives errors that clients must not see. */
type LogHiddenError = (id: string, error: unknown) => void;

export interface ErrorOptions {
  readonly logHidden: LogHiddenError;
  /**
   * Whether to keep "Did you mean" in graphql's messages, which reveals parts of the schema. Only for
   * callers that may introspect it.
   */
  readonly hints: boolean;
}

/**
 * Converts any error to the GraphQLError to show. The result is cached per error, so that it is logged once.
 */
export function createErrorFormatter(options: ErrorOptions): (error: unknown) => GraphQLError {
  const known = new WeakMap<Error, GraphQLError>();
  return (error) => {
    const before = error instanceof Error ? known.get(error) : undefined;
    if (before !== undefined) return before;
    const shown = showError(error, options);
    if (error instanceof Error) known.set(error, shown);
    known.set(shown, shown);
    return shown;
  };
}

function showError(error: unknown, options: ErrorOptions): GraphQLError {
  const cause = rootCause(error);
  if (cause instanceof ZarrError)
    return located(error, cause.message, { ...zarrExtensions(cause), ...wholeStatus(error, cause.code) });
  if (cause instanceof ForbiddenError)
    return located(error, cause.message, {
      code: cause.code,
      ...cause.where,
      ...wholeStatus(error, cause.code),
    });
  if (cause instanceof BusyError) return located(error, cause.message, busyExtensions(cause));
  if (isAbort(cause)) return located(error, 'the request was cancelled', { code: 'ABORTED' });
  if (cause instanceof GraphQLError) return showOwn(error, cause, options.hints);
  const id = randomUUID();
  options.logHidden(id, cause);
  return located(error, `internal error, id ${id}`, {
    code: 'INTERNAL',
    id,
    http: { status: errorTable.INTERNAL.status },
  });
}

/** Sets the status for every media type, so that clients retry. */
function busyExtensions({
  code,
  limit,
  allowed,
  needed,
  retryAfterSeconds,
}: BusyError): Record<string, unknown> {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return { code, limit, allowed, needed, retryAfterSeconds, http: { status: 503, headers } };
}

/** Converts errors that graphql (syntax, validation, arguments) or Yoga reports about the request. */
function showOwn(error: unknown, cause: GraphQLError, hints: boolean): GraphQLError {
  const message = hints ? cause.message : cause.message.replace(/ ?Did you mean [^?]*\?/g, '');
  const own: unknown = cause.extensions['code'];
  const code = isErrorCode(own) ? own : 'BAD_INPUT';
  return located(error, message, { code, http: httpOf(cause, code) });
}

/**
 * An invalid JSON body has an error status for every client; an invalid document only for the newer media
 * type.
 */
function httpOf(cause: GraphQLError, code: ErrorCode): unknown {
  const http: unknown = cause.extensions['http'];
  if (typeof http !== 'object' || http === null)
    return code === 'BAD_INPUT' ? httpStatus(code) : { status: errorTable[code].status };
  return cause.extensions['originalError'] === undefined ? http : { ...http, spec: false };
}

/** Status of a request that failed before any field was resolved. */
function wholeStatus(error: unknown, code: ErrorCode): Record<string, unknown> {
  return error instanceof GraphQLError ? {} : { http: httpStatus(code) };
}

/** Status of a request that fails as a whole, for clients of the newer media type. */
function httpStatus(code: ErrorCode): { readonly status: number; readonly spec: true } {
  return { status: errorTable[code].status, spec: true };
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorTable, code);
}

/**
 * The error that a resolver threw, without the executor's wrappers. Errors of graphql itself are returned
 * unchanged.
 */
function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause instanceof GraphQLError ? error : cause;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Bounds the length of messages and locations, which quote the client's text. */
const MAX_MESSAGE_LENGTH = 2000;
const MAX_LOCATION_LENGTH = 500;

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

function shortLocation(where: ZarrError['where']): Record<string, string> {
  const short: Record<string, string> = {};
  for (const name of ['store', 'path', 'key'] as const) {
    const text = where[name];
    if (text !== undefined) short[name] = shortened(text, MAX_LOCATION_LENGTH);
  }
  return short;
}

/** Creates an error with the same location in the document, without the original error and its stack. */
function located(error: unknown, text: string, extensions: Record<string, unknown>): GraphQLError {
  const message = shortened(text, MAX_MESSAGE_LENGTH);
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}

function zarrExtensions(error: ZarrError): Record<string, unknown> {
  const extensions: Record<string, unknown> = { code: error.code, ...shortLocation(error.where) };
  if (error instanceof LimitError) {
    const [first] = error.excess;
    if (first !== undefined) {
      extensions['limit'] = first.limit;
      extensions['allowed'] = countValue(first.allowed);
      extensions['needed'] = countValue(first.needed);
    }
    if (error.fits !== undefined) extensions['fits'] = error.fits;
  }
  if (error.written !== undefined) extensions['written'] = { ...error.written };
  return extensions;
}
