/**
 * Errors as plain data. A listing may have hundreds of thousands of errors, and an Error with its stack takes
 * kilobytes.
 */
import {
  withContext,
  errorOfCode,
  isZarrError,
  LimitError,
  StoreUnavailableError,
  type Excess,
  type ZarrErrorCode,
} from '../../core/errors.js';

export interface Failure {
  readonly code: ZarrErrorCode;
  /** The message, truncated. */
  readonly detail: string;
  /** Key of the document. */
  readonly key: string;
  readonly excess: readonly Excess[];
}

const MAX_DETAIL = 300;
const none: readonly Excess[] = [];

/** @returns undefined for errors that are not from the engine */
export function failureOf(error: unknown, key: string): Failure | undefined {
  if (!isZarrError(error)) return undefined;
  const { code, detail } = error;
  const excess = error instanceof LimitError ? error.excess : none;
  return {
    code,
    key,
    excess,
    detail: detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail,
  };
}

/** Converts a failure to an error to throw. */
export function errorOfFailure({ code, detail, key, excess }: Failure): unknown {
  return withContext(errorOfCode(code, detail, excess), { key });
}

const objectCodes: readonly ZarrErrorCode[] = [
  'STORE_DENIED', 'LIMIT_EXCEEDED', 'CODEC_ERROR', 'CHECKSUM_MISMATCH', 'UNSUPPORTED', 'BAD_INPUT', 'CONFLICT',
]; // prettier-ignore

/** Whether a read failed because of a single object, so that other objects may be readable. */
export function isOfObject(error: unknown): boolean {
  return isZarrError(error, ...objectCodes) || (error instanceof StoreUnavailableError && error.isOfObject);
}
