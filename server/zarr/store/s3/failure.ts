/** What S3's refusals mean: by their code where there is one, else by their status. */
import { StoreDeniedError, StoreUnavailableError } from '../../errors.js';
import { TransientFailure } from '../http/exchange.js';

export interface Refusal {
  readonly status: number;
  /** S3's own name for it: NoSuchKey, SlowDown, ... */
  readonly code: string | undefined;
  /** What the server asked to wait. */
  readonly afterMs?: number | undefined;
  /** Where the bucket lies, as the server says. */
  readonly region?: string | undefined;
}

/** New credentials may help. */
export class ExpiredCredentials extends StoreDeniedError {}

/** The bucket lies in another region. */
export class WrongRegion extends StoreUnavailableError {
  readonly region: string;

  constructor(region: string) {
    super(`the bucket lies in the region ${region}; set region=${region}`);
    this.region = region;
  }
}

/** Somebody else was writing the object at the same moment. */
export class ConcurrentWrite extends TransientFailure {
  override readonly isOutage = false;
}

const expired = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired', 'TokenRefreshRequired']);
const races = new Set(['ConditionalRequestConflict', 'OperationAborted']);
const passing = new Set([
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
  // Servers over a file system: a folder where the object goes, which a deletion may be about to remove.
  'ExistingObjectIsDirectory',
]);
const denied: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'the server does not know the access key',
  SignatureDoesNotMatch:
    'the secret key does not belong to the access key, or something changes requests on the way',
  InvalidToken: 'the session token is not valid',
  RequestTimeTooSkewed: 'the clock of this machine differs too much from that of the server',
  AccountProblem: 'the account is blocked',
  AllAccessDisabled: 'all access to the bucket is disabled',
};

/**
 * Whether it says that the object is not there, and nothing else. Answers to HEAD have no code. Nothing can be there
 * under a key that is too long for the server.
 */
export function isAbsent({ status, code }: Refusal): boolean {
  if (code === 'KeyTooLongError' || code === 'KeyTooLong') return true;
  return status === 404 && (code === undefined || code === 'NoSuchKey' || code === 'NotFound');
}

/** Whether it may stand for an object that is not there, to somebody who may not list. */
export function isPlainDenial({ status, code }: Refusal): boolean {
  return status === 403 && (code === undefined || code === 'AccessDenied' || code === 'Forbidden');
}

/** The server's word becomes part of a host name. */
function isRegion(region: string): boolean {
  return /^[a-z0-9-]{1,63}$/i.test(region);
}

/** The error to throw. Of what the server says only the code is shown: its messages hold names of keys and accounts. */
export function failureOf(refusal: Refusal): Error {
  const { status, code, afterMs, region } = refusal;
  const said = code === undefined ? `${status}` : `${status} ${code}`;
  if (code !== undefined && expired.has(code))
    return new ExpiredCredentials(
      `the credentials have expired (${said}); renew the session that they come from, or give lasting ones`,
    );
  if (code !== undefined && Object.hasOwn(denied, code))
    return new StoreDeniedError(`${denied[code]} (${said})`);
  if (region !== undefined && isRegion(region) && (status === 301 || status === 307 || status === 400))
    return new WrongRegion(region);
  if (code === 'NoSuchBucket')
    return new StoreUnavailableError('there is no such bucket; check its name, the region and the endpoint');
  if (code !== undefined && races.has(code))
    return new ConcurrentWrite(`somebody else is writing it (${said})`, { afterMs });
  if (status >= 500 && status !== 501)
    return new TransientFailure(`the server answered with ${said}`, { afterMs });
  if (status === 429 || status === 408 || (code !== undefined && passing.has(code)))
    return new TransientFailure(`the server answered with ${said}`, { afterMs });
  if (code === 'InvalidObjectState')
    return new StoreUnavailableError('the object is archived and must be restored before it can be read');
  if (status === 401 || status === 403 || code === 'AccessDenied')
    return new StoreDeniedError(
      `the server refuses access (${said}); if it says so of objects that are absent, set forbiddenMeansAbsent`,
    );
  return new StoreUnavailableError(`the server answered with ${said}`);
}
