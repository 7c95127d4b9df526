/** URLs of stores in buckets of Google Cloud Storage and containers of Azure: `gs://bucket/prefix?option=value`. */
import { InputError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { isKey } from '../keys.js';

export interface BucketAddress {
  /** The part between the slashes, such as a bucket. */
  readonly authority: string;
  /** Prefix of the store's keys, without a slash at either end; "" for the whole bucket. */
  readonly prefix: string;
  /** Options of the query; each is given at most once. */
  readonly query: ReadonlyMap<string, string>;
}

const secret = /key|secret|token|password|credential|sig|sas/i;
const NO_CREDENTIALS =
  'credentials in URLs are not allowed; use variables of the environment, or options of the store';

/** @throws InputError, which names the invalid part but does not show values */
export function parseBucketAddress(
  url: string,
  form: { readonly scheme: RegExp; readonly example: string; readonly options: readonly string[] },
): BucketAddress {
  if (url.includes('#'))
    throw new InputError('the URL of a bucket has no fragment; write a "#" in a key as %23');
  const [, scheme = '', authority = '', path = '', text = ''] =
    /^([a-z]+):\/\/([^/?]*)(\/[^?]*)?(?:\?(.*))?$/is.exec(url) ?? [];
  if (!form.scheme.test(scheme) || authority === '')
    throw new InputError(`the URL of the store must have the form ${form.example}`);
  const prefix = decodePath(path).replace(/^\/|\/$/g, '');
  if (prefix !== '' && !isKey(prefix))
    throw new InputError('the prefix of a bucket must not have empty, "." or ".." parts, a backslash or NUL');
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (query.has(name)) throw new InputError(`the option ${name.slice(0, 40)} is repeated in the URL`);
    if (!form.options.includes(name)) {
      if (secret.test(name)) throw new InputError(NO_CREDENTIALS);
      throw new InputError(
        `unknown option ${JSON.stringify(name.slice(0, 40))} in the URL; the nearest are ${nearest(name, form.options).join(', ')}`,
      );
    }
    if (value === '') throw new InputError(`the option ${name} of the URL is empty`);
    query.set(name, value);
  }
  return { authority, prefix, query };
}

/**
 * Splits a store's URL into the last part, decoded, and the URL of its folder, with the same options.
 * @throws InputError for an invalid URL
 */
export function splitBucketUrl(url: string): { readonly folder: string; readonly key: string | undefined } {
  const [, origin = '', path = '', query = ''] = /^([a-z]+:\/\/[^/?]*)([^?]*)(.*)$/is.exec(url) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  const key = parts.pop();
  return {
    folder: `${origin}/${parts.join('/')}${query}`,
    key: key === undefined ? undefined : decodePath(key),
  };
}

/** @returns undefined if the option is not given. @throws InputError for another value than true and false */
export function flagIn(query: BucketAddress['query'], name: string): boolean | undefined {
  const value = query.get(name);
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true';
  throw new InputError(
    `the option ${name} of the URL is ${JSON.stringify(value.slice(0, 40))}; expected true or false`,
  );
}

/** @throws InputError unless it is an http: or https: URL without credentials, query and fragment */
export function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InputError('the endpoint of a store must have the form http://127.0.0.1:4443');
  if (url.username !== '' || url.password !== '') throw new InputError(NO_CREDENTIALS);
  if (url.search !== '' || url.hash !== '')
    throw new InputError('the endpoint of a store must have no query and no fragment');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InputError('the URL has a "%" that is not a percent-encoding; write it as %25', { cause });
  }
}
