/** URLs of stores on S3: `s3://bucket/prefix?option=value&...`. */
import { InputError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { isKey } from '../keys.js';

/** Options that a URL, or the options of a store, may contain. */
export interface S3Settings {
  /**
   * URL (http: or https:) of a server other than Amazon's.
   * @default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile's
   */
  readonly endpoint?: string;
  /**
   * Region of the bucket. The region that the server reports takes precedence.
   * @default AWS_REGION, the profile's; else us-east-1
   */
  readonly region?: string;
  /**
   * Whether the bucket is in the path rather than the host name.
   * @default true with an endpoint, else false
   */
  readonly pathStyle?: boolean;
  /** Whether requests are sent unsigned. @default false */
  readonly anonymous?: boolean;
  /** A profile of the shared configuration and credentials files. @default AWS_PROFILE */
  readonly profile?: string;
  /** Whether the requester pays for the transfer. @default false */
  readonly requesterPays?: boolean;
  /**
   * Whether 403 means that the object does not exist, as S3 responds to callers that may not list.
   * @default false
   */
  readonly forbiddenMeansAbsent?: boolean;
}

export interface S3Address {
  readonly bucket: string;
  /** Prefix of the store's keys, without a slash at either end; "" for the whole bucket. */
  readonly prefix: string;
  readonly settings: S3Settings;
}

const pattern = /^s3:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;
/** Names of buckets that Amazon and others allow, including older names. */
const bucketPattern = /^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/i;
const texts = ['endpoint', 'region', 'profile'] as const;
const flags = ['pathStyle', 'anonymous', 'requesterPays', 'forbiddenMeansAbsent'] as const;
const secret = /key|secret|token|password|credential|user/i;

/** @throws InputError, which names the invalid part but does not show values */
export function parseS3Address(url: string): S3Address {
  if (url.includes('#')) throw new InputError('an S3 URL has no fragment; write a "#" in a key as %23');
  const match = pattern.exec(url);
  if (match === null)
    throw new InputError('the URL of a store on S3 must have the form s3://bucket/prefix?region=eu-west-1');
  const [, bucket = '', path = '', query = ''] = match;
  if (bucket.includes('@') || bucket.includes(':')) throw new InputError(NO_CREDENTIALS);
  if (!bucketPattern.test(bucket))
    throw new InputError(
      'the bucket of an S3 URL must be 3 to 255 letters, digits, ".", "_" and "-", starting and ending with a letter or digit',
    );
  const prefix = decode(path).replace(/^\/|\/$/g, '');
  if (prefix !== '' && !isKey(prefix))
    throw new InputError(
      'the prefix of an S3 URL must not have empty, "." or ".." parts, a backslash or NUL',
    );
  return { bucket, prefix, settings: parseQuery(query) };
}

/**
 * Splits a store's URL into the last part, decoded, and the URL of its folder, with the same options.
 * @throws InputError for an invalid URL
 */
export function splitS3Url(url: string): { readonly folder: string; readonly key: string | undefined } {
  const { bucket, prefix } = parseS3Address(url);
  const slash = prefix.lastIndexOf('/');
  const key = prefix.slice(slash + 1);
  const above = prefix.slice(0, Math.max(0, slash)).split('/').map(encodeURIComponent).join('/');
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return { folder: `s3://${bucket}/${above}${query}`, key: key === '' ? undefined : key };
}

const NO_CREDENTIALS =
  'credentials in URLs are not allowed; use the AWS_* variables, a profile, or options of the store';

function parseQuery(query: string): S3Settings {
  const settings: Record<string, string | boolean> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(settings, name)) throw new InputError(`the option ${name} is repeated in the URL`);
    if (isOneOf(texts, name)) settings[name] = parseText(name, value);
    else if (isOneOf(flags, name)) settings[name] = parseFlag(name, value);
    else throw unknownOption(name);
  }
  return settings;
}

function unknownOption(name: string): InputError {
  if (secret.test(name)) return new InputError(NO_CREDENTIALS);
  const all = [...texts, ...flags];
  return new InputError(
    `unknown option ${JSON.stringify(name.slice(0, 40))} in the S3 URL; the nearest are ${nearest(name, all).join(', ')}`,
  );
}

function parseText(name: string, value: string): string {
  if (value === '') throw new InputError(`the option ${name} of the S3 URL is empty`);
  if (name === 'endpoint') assertEndpoint(value);
  return value;
}

function parseFlag(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InputError(
    `the option ${name} of the S3 URL is ${JSON.stringify(value.slice(0, 40))}; expected true or false`,
  );
}

/** @throws InputError unless it is an http: or https: URL without credentials, query and fragment */
export function assertEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InputError('the endpoint of a store on S3 must have the form http://127.0.0.1:9000');
  if (url.username !== '' || url.password !== '') throw new InputError(NO_CREDENTIALS);
  if (url.search !== '' || url.hash !== '')
    throw new InputError('the endpoint of a store on S3 must have no query and no fragment');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InputError('the URL has a "%" that is not a percent-encoding; write it as %25', { cause });
  }
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return names.some((known) => known === name);
}
