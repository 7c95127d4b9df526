/** Interprets S3's error responses by their code, or by their status if they have no code. */
import { StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { TransientFailure } from '../http/exchange.js';

export interface Refusal {
  readonly status: number;
  /** S3's error code: NoSuchKey, SlowDown, ... */
  readonly code: string | undefined;
  /** The delay that the server requested, in milliseconds. */
  readonly afterMs?: number | undefined;
  /** The bucket's region, as reported by the server. */
  readonly region?: string | undefined;
}

/** The credentials have expired; renewing them may help. */
export class ExpiredCredentials extends StoreDeniedError {}

/** The bucket is in another region. */
export class WrongRegion extends StoreUnavailableError {
  readonly region: string;

  constructor(region: string) {
    super(`the bucket is in the region ${region}; set region=${region}`);
    this.region = region;
  }
}

/** Another writer was writing the object at the same time. */
export class ConcurrentWrite extends TransientFailure {
  override readonly isOutage = false;
}

const expired = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired', 'TokenRefreshRequired']);
const races = new Set(['ConditionalRequestConflict', 'OperationAborted']);
const transient = new Set([
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'ThrottlingException',
  'RequestThrottled',
  'TooManyRequests',
  'BandwidthLimitExceeded',
  // Sent by servers on file systems: a folder is in place of the object, and a deletion may be about to
  // remove it.
  'ExistingObjectIsDirectory',
]);
const denied: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'unknown access key',
  SignatureDoesNotMatch: 'the secret key does not match the access key, or requests are modified in transit',
  InvalidToken: 'invalid session token',
  RequestTimeTooSkewed: 'the clock of this machine differs too much from that of the server',
  AccountProblem: 'the account is blocked',
  AllAccessDisabled: 'all access to the bucket is disabled',
};

/**
 * Whether the error means only that the object does not exist. Responses to HEAD have no code. A key that is too
 * long for the server cannot exist.
 */
export function isAbsent({ status, code }: Refusal): boolean {
  if (code === 'KeyTooLongError' || code === 'KeyTooLong') return true;
  return status === 404 && (code === undefined || code === 'NoSuchKey' || code === 'NotFound');
}

/** Whether the error may mean that the object does not exist, for callers that may not list. */
export function isPlainDenial({ status, code }: Refusal): boolean {
  return status === 403 && (code === undefined || code === 'AccessDenied' || code === 'Forbidden');
}

/** Validates the region, because it becomes part of a host name. */
function isRegion(region: string): boolean {
  return /^[a-z0-9-]{1,63}$/i.test(region);
}

/**
 * Creates the error to throw. It shows only status, code and region of the server's response, because
 * messages contain names of keys and accounts.
 */
export function errorOfRefusal(refusal: Refusal): Error {
  const { status, code, afterMs, region } = refusal;
  const statusText = code === undefined ? `${status}` : `${status} ${code}`;
  if (code !== undefined && expired.has(code))
    return new ExpiredCredentials(
      `the credentials have expired (${statusText}); renew their session, or use permanent ones`,
    );
  if (code !== undefined && Object.hasOwn(denied, code))
    return new StoreDeniedError(`${denied[code]} (${statusText})`);
  if (region !== undefined && isRegion(region) && (status === 301 || status === 307 || status === 400))
    return new WrongRegion(region);
  if (code === 'NoSuchBucket')
    return new StoreUnavailableError(
      'the bucket does not exist; check its name, the region and the endpoint',
    );
  if (code !== undefined && races.has(code))
    return new ConcurrentWrite(`another writer is writing the object (${statusText})`, { afterMs });
  if (status >= 500 && status !== 501)
    return new TransientFailure(`the server responded with ${statusText}`, { afterMs });
  if (status === 429 || status === 408 || (code !== undefined && transient.has(code)))
    return new TransientFailure(`the server responded with ${statusText}`, { afterMs });
  if (code === 'InvalidObjectState')
    return new StoreUnavailableError('the object is archived and must be restored before it can be read');
  if (status === 401 || status === 403 || code === 'AccessDenied')
    return new StoreDeniedError(`the server denied access (${statusText})`);
  return new StoreUnavailableError(`the server responded with ${statusText}`);
}

interface ErrorDocument {
  readonly code: string;
  readonly region: string | undefined;
}

/** Maximum size of an error document in bytes. */
export const MAX_ERROR_BYTES = 64 * 1024;

const root = /^\s*(?:<\?xml[^>]*\?>)?\s*<Error[\s>]/;

/** @returns undefined if the bytes are not an error document */
export function parseErrorDocument(bytes: Uint8Array): ErrorDocument | undefined {
  const text = new TextDecoder().decode(bytes);
  if (!root.test(text)) return undefined;
  const code = /<Code>\s*([A-Za-z0-9.]{1,64})\s*<\/Code>/.exec(text)?.[1];
  const region = /<Region>\s*([a-z0-9-]{1,64})\s*<\/Region>/.exec(text)?.[1];
  return code === undefined ? undefined : { code, region };
}

/** Whether the bytes may be the start of an error document. */
export function mayBeErrorDocument(bytes: Uint8Array): boolean {
  return root.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}
