/**
 * The error classes of the engine. Callers distinguish errors by `code` or by class. The message consists of
 * the problem (`detail`) and the location (`where`): each layer adds its part of the location with
 * `withContext`.
 */

import type { ZarrErrorCode } from '../../wire/error-codes.js';

/** The location of an error. Contains only names that may be shown to users: no URLs, no paths of the server. */
export interface ErrorContext {
  /** The configured name of the store. */
  readonly store?: string;
  /** The node's path in the store, `/` for the root. */
  readonly path?: string;
  /** The key of the object in the store: a chunk's or a metadata document's. */
  readonly key?: string;
}

/** An exceeded limit: the allowed and the needed amount, in the unit of the limit. */
export interface Excess {
  readonly limit: string;
  readonly allowed: number;
  readonly needed: number;
}

export type { ZarrErrorCode };

/** The completed part of a write to several chunks, which is not atomic. */
export interface WriteReport {
  /** Number of chunks stored; for sharded arrays, inner chunks. */
  readonly chunksWritten: number;
  /** Number of stored chunks removed because all their elements had the fill value. */
  readonly chunksDeleted: number;
  /** Total size, in bytes, of the stored objects. */
  readonly bytesWritten: number;
}

interface ErrorOptions {
  readonly cause?: unknown;
  readonly where?: ErrorContext;
}

/** Base class of all errors that the engine throws on purpose. */
export abstract class ZarrError extends Error {
  abstract readonly code: ZarrErrorCode;
  /** The problem and what to do about it, without the location. */
  readonly detail: string;
  #where: ErrorContext;
  #written: WriteReport | undefined;

  constructor(problem: string, options: ErrorOptions = {}) {
    const detail = shortened(problem);
    super(
      describe(detail, options.where ?? {}),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.detail = detail;
    this.#where = options.where ?? {};
  }

  get where(): ErrorContext {
    return this.#where;
  }

  /**
   * The part written before the error; set if a write was interrupted. Writes in flight at that moment may
   * have completed too.
   */
  get written(): WriteReport | undefined {
    return this.#written;
  }

  /** Records the completed part of the write, and returns the error. */
  afterWriting(written: WriteReport): this {
    this.#written ??= written;
    return this;
  }

  /**
   * Adds a location, and returns the error. Keeps values that are already set, because inner layers are
   * more precise.
   */
  withContext(where: ErrorContext): this {
    this.#where = { ...where, ...this.#where };
    this.message = describe(this.detail, this.#where);
    return this;
  }
}

/** Length, in characters, beyond which a part of a message (the problem, the path or the key) is truncated. */
const MAX_DETAIL = 2000;

/** Truncates a part of a message, because it may quote names, attributes or labels of megabytes. */
function shortened(text: string): string {
  return text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL)}... (${text.length} characters)`;
}

function describe(detail: string, where: ErrorContext): string {
  const parts = [
    where.store === undefined ? '' : `store "${where.store}"`,
    where.path === undefined ? '' : `path "${shortened(where.path)}"`,
    where.key === undefined ? '' : `key "${shortened(where.key)}"`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? detail : `${detail} (${parts.join(', ')})`;
}

/** Something of that name does not exist: a store, node, variable, dimension, field or persisted document. */
export class NotFoundError extends ZarrError {
  override readonly name = 'NotFoundError';
  readonly code = 'NOT_FOUND';
}

/** The selection does not fit the array: unparsable text, too many dimensions, an index out of range. */
export class SelectionError extends ZarrError {
  override readonly name = 'SelectionError';
  readonly code = 'BAD_SELECTION';
}

/** An argument of the caller other than a selection is invalid. */
export class InputError extends ZarrError {
  override readonly name = 'InputError';
  readonly code = 'BAD_INPUT';
}

/** A metadata document violates its specification. */
export class MetadataError extends ZarrError {
  override readonly name = 'MetadataError';
  readonly code = 'INVALID_METADATA';
}

/**
 * A request or stored data is valid, but not supported by this engine, or intentionally rejected, like
 * pickle.
 */
export class UnsupportedError extends ZarrError {
  override readonly name = 'UnsupportedError';
  readonly code = 'UNSUPPORTED';
}

/** Stored bytes cannot be decoded. */
export class CodecError extends ZarrError {
  override readonly name = 'CodecError';
  readonly code = 'CODEC_ERROR';
}

/** Stored bytes do not match their checksum. */
export class ChecksumError extends ZarrError {
  override readonly name = 'ChecksumError';
  readonly code = 'CHECKSUM_MISMATCH';
}

/** A limit would be exceeded. Thrown before further data is read. */
export class LimitError extends ZarrError {
  override readonly name = 'LimitError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly excess: readonly Excess[];
  /** A selection within the limit as plain data, if available. */
  readonly fits: Readonly<Record<string, string | number | null>> | undefined;

  constructor(
    detail: string,
    options: ErrorOptions & {
      readonly excess?: readonly Excess[];
      readonly fits?: Readonly<Record<string, string | number | null>>;
    } = {},
  ) {
    super(detail, options);
    this.excess = options.excess ?? [];
    this.fits = options.fits;
  }
}

/** The store did not respond, or its response was invalid. A retry may succeed. */
export class StoreUnavailableError extends ZarrError {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STORE_UNAVAILABLE';
  /**
   * Whether the whole store seems unavailable (timeouts, broken connections, a busy server), not only this
   * object.
   */
  readonly isOutage: boolean;
  /** Whether only this object is affected (a broken link); others in the store may be readable. */
  readonly isOfObject: boolean;

  constructor(
    detail: string,
    options: ErrorOptions & { readonly isOutage?: boolean; readonly isOfObject?: boolean } = {},
  ) {
    super(detail, options);
    this.isOutage = options.isOutage ?? false;
    this.isOfObject = options.isOfObject ?? false;
  }
}

/** The store denied access. Never treated as absent. */
export class StoreDeniedError extends ZarrError {
  override readonly name = 'StoreDeniedError';
  readonly code = 'STORE_DENIED';
}

/** Writing is not permitted, or not supported by this kind of store. */
export class ReadOnlyError extends ZarrError {
  override readonly name = 'ReadOnlyError';
  readonly code = 'READ_ONLY';
}

/** A node already exists at that path. */
export class AlreadyExistsError extends ZarrError {
  override readonly name = 'AlreadyExistsError';
  readonly code = 'ALREADY_EXISTS';
}

/** Another writer has changed the data or holds its lock, or the existing data differs from what was expected. */
export class ConflictError extends ZarrError {
  override readonly name = 'ConflictError';
  readonly code = 'CONFLICT';
}

/** The caller's AbortSignal fired, or a time limit expired. */
export class AbortedError extends ZarrError {
  override readonly name = 'AbortedError';
  readonly code = 'ABORTED';
}

/** Whether `error` is an error of the engine and, if codes are given, has one of them. */
export function isZarrError(error: unknown, ...codes: readonly ZarrErrorCode[]): error is ZarrError {
  return error instanceof ZarrError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * Adds a location to an error of the engine, converts an error named AbortError to an AbortedError, and returns
 * any other error unchanged.
 */
export function withContext(error: unknown, where: ErrorContext): unknown {
  if (error instanceof ZarrError) return error.withContext(where);
  if (error instanceof Error && error.name === 'AbortError')
    return new AbortedError('the request was cancelled', { cause: error, where });
  return error;
}

/** Throws AbortedError if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError('the request was cancelled', { cause: signal.reason });
}

const classes: Readonly<Record<ZarrErrorCode, new (detail: string, options?: ErrorOptions) => ZarrError>> = {
  NOT_FOUND: NotFoundError,
  BAD_SELECTION: SelectionError,
  BAD_INPUT: InputError,
  INVALID_METADATA: MetadataError,
  UNSUPPORTED: UnsupportedError,
  CODEC_ERROR: CodecError,
  CHECKSUM_MISMATCH: ChecksumError,
  LIMIT_EXCEEDED: LimitError,
  STORE_UNAVAILABLE: StoreUnavailableError,
  STORE_DENIED: StoreDeniedError,
  READ_ONLY: ReadOnlyError,
  ALREADY_EXISTS: AlreadyExistsError,
  CONFLICT: ConflictError,
  ABORTED: AbortedError,
};

/**
 * Returns `error` as an instance of this module's classes. Converts errors of another copy of this module,
 * as in worker threads.
 * @returns undefined for any other error
 */
export function ownError(error: unknown): ZarrError | undefined {
  if (error instanceof ZarrError) return error;
  if (!(error instanceof Error)) return undefined;
  const field = (name: string): unknown => Reflect.get(error, name);
  const code = Object.keys(classes).find((known): known is ZarrErrorCode => known === field('code'));
  const detail = field('detail');
  if (code === undefined || typeof detail !== 'string') return undefined;
  const excess: unknown = field('excess');
  const options = { cause: error };
  if (code !== 'LIMIT_EXCEEDED') return new classes[code](detail, options);
  return new LimitError(detail, { ...options, excess: Array.isArray(excess) ? excess.filter(isExcess) : [] });
}

function isExcess(value: unknown): value is Excess {
  if (typeof value !== 'object' || value === null) return false;
  const { limit, allowed, needed }: Partial<Record<keyof Excess, unknown>> = value;
  return typeof limit === 'string' && typeof allowed === 'number' && typeof needed === 'number';
}

/**
 * Creates an error from plain data that another thread sent.
 * @returns an error of the engine, or a plain Error without a code
 */
export function errorOfCode(
  code: ZarrErrorCode | undefined,
  detail: string,
  excess: readonly Excess[],
): Error {
  if (code === undefined) return new Error(detail);
  return code === 'LIMIT_EXCEEDED' ? new LimitError(detail, { excess }) : new classes[code](detail);
}
