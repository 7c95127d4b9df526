/**
 * The one hierarchy of the engine's errors. A caller branches on `code` (or on the class); the message is made of
 * what was wrong (`detail`) and where (`where`), so that a lower layer need not know the store and a higher layer
 * need not parse text: each layer adds the place that it knows by `atPlace`.
 */

import type { ZarrErrorCode } from '../../wire/error-codes.js';

/** Where something went wrong. Only names that may be shown to a user: no addresses, no paths of a server. */
export interface Place {
  /** The configured name of the store. */
  readonly store?: string;
  /** The node's path within the store, `/` for the root. */
  readonly path?: string;
  /** The key of the object within the store, a chunk's or a metadata document's. */
  readonly key?: string;
}

/** A bound that was passed: what is allowed and what would have been needed, in the limit's own unit. */
export interface Excess {
  readonly limit: string;
  readonly allowed: number;
  readonly needed: number;
}

export type { ZarrErrorCode };

/** What a write over several chunks had done: they are not one transaction. */
export interface WriteReport {
  /** Chunks that were stored; innermost ones, where there are shards. */
  readonly chunksWritten: number;
  /** Stored chunks that were removed, because nothing but the fill value was left in them. */
  readonly chunksDeleted: number;
  /** Bytes of all objects that were stored. */
  readonly bytesWritten: number;
}

interface ErrorOptions {
  readonly cause?: unknown;
  readonly where?: Place;
}

/** Base of all errors that the engine throws on purpose. */
export abstract class ZarrError extends Error {
  abstract readonly code: ZarrErrorCode;
  /** What was wrong and what would work, without the place. */
  readonly detail: string;
  #where: Place;
  #written: WriteReport | undefined;

  constructor(given: string, options: ErrorOptions = {}) {
    const detail = shortened(given);
    super(
      describe(detail, options.where ?? {}),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.detail = detail;
    this.#where = options.where ?? {};
  }

  get where(): Place {
    return this.#where;
  }

  /** Set where a write was broken off: what had been written by then. What was under way at that moment may be, too. */
  get written(): WriteReport | undefined {
    return this.#written;
  }

  /** Adds what had been written, and returns the error. */
  afterWriting(written: WriteReport): this {
    this.#written ??= written;
    return this;
  }

  /**
   * Adds the place as far as this layer knows it, and returns the error. What is already known is kept: the innermost
   * layer knows best.
   */
  at(where: Place): this {
    this.#where = { ...where, ...this.#where };
    this.message = describe(this.detail, this.#where);
    return this;
  }
}

/** Characters of what an error says. */
const MAX_DETAIL = 2000;

/**
 * Messages quote names, attributes and labels, which may have megabytes: nothing of that length belongs into a response,
 * a log or the memory of failures.
 */
function shortened(text: string): string {
  return text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL)}... (${text.length} characters)`;
}

function describe(detail: string, where: Place): string {
  const parts = [
    where.store === undefined ? '' : `store "${where.store}"`,
    where.path === undefined ? '' : `path "${shortened(where.path)}"`,
    where.key === undefined ? '' : `key "${shortened(where.key)}"`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? detail : `${detail} (${parts.join(', ')})`;
}

/** A store, node, dimension or field of that name does not exist. */
export class NotFoundError extends ZarrError {
  override readonly name = 'NotFoundError';
  readonly code = 'NOT_FOUND';
}

/** The selection does not fit the array: its text, its number of dimensions, an index out of range. */
export class SelectionError extends ZarrError {
  override readonly name = 'SelectionError';
  readonly code = 'BAD_SELECTION';
}

/** Another argument of the caller is wrong. */
export class InputError extends ZarrError {
  override readonly name = 'InputError';
  readonly code = 'BAD_INPUT';
}

/** A metadata document is not what its specification demands. */
export class MetadataError extends ZarrError {
  override readonly name = 'MetadataError';
  readonly code = 'INVALID_METADATA';
}

/** Well-formed, but this engine has no means for it (or refuses it on purpose, such as pickle). */
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

/** A bound would be passed; nothing (more) was read. */
export class LimitError extends ZarrError {
  override readonly name = 'LimitError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly excess: readonly Excess[];
  /** What would be within the limit, as plain data, where that is known. */
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

/** The store did not answer, or not with what was asked; trying again may help. */
export class StoreUnavailableError extends ZarrError {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STORE_UNAVAILABLE';
  /** The store as a whole seems out of reach (timeouts, broken connections, a busy server), not only this object. */
  readonly isOutage: boolean;
  /** The cause is known to be this one object (a broken link): others of the store may well be read. */
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

/** The store refused access. Never taken for "absent". */
export class StoreDeniedError extends ZarrError {
  override readonly name = 'StoreDeniedError';
  readonly code = 'STORE_DENIED';
}

/** Writing is not allowed, or not possible in this kind of store. */
export class ReadOnlyError extends ZarrError {
  override readonly name = 'ReadOnlyError';
  readonly code = 'READ_ONLY';
}

/** A node of that path is there already. */
export class AlreadyExistsError extends ZarrError {
  override readonly name = 'AlreadyExistsError';
  readonly code = 'ALREADY_EXISTS';
}

/** Somebody else changed it in between, or what exists differs from what was asked for. */
export class ConflictError extends ZarrError {
  override readonly name = 'ConflictError';
  readonly code = 'CONFLICT';
}

/** The caller's AbortSignal fired, or the time allowed ran out. */
export class AbortedError extends ZarrError {
  override readonly name = 'AbortedError';
  readonly code = 'ABORTED';
}

/** Whether `error` is one of ours, and (where codes are given) one of these. */
export function isZarrError(error: unknown, ...codes: readonly ZarrErrorCode[]): error is ZarrError {
  return error instanceof ZarrError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * What to throw where `error` passes a layer that knows a place: one of ours at that place, an AbortSignal's reason
 * as ABORTED, anything else as it is.
 */
export function atPlace(error: unknown, where: Place): unknown {
  if (error instanceof ZarrError) return error.at(where);
  if (error instanceof Error && error.name === 'AbortError')
    return new AbortedError('the request was cancelled', { cause: error, where });
  return error;
}

/** Throws ABORTED if the signal has fired. */
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
 * `error` as one of the engine's: itself, or a copy if another copy of this module made it, as in the threads.
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

/** An error that another thread sent as plain data; without a code it was none of ours. */
export function errorOfCode(
  code: ZarrErrorCode | undefined,
  detail: string,
  excess: readonly Excess[],
): Error {
  if (code === undefined) return new Error(detail);
  return code === 'LIMIT_EXCEEDED' ? new LimitError(detail, { excess }) : new classes[code](detail);
}
