/** From keys to addresses, and where a redirect may lead. */
import { InputError, StoreDeniedError, StoreUnavailableError } from '../../errors.js';

/**
 * The address of an object: the key's parts, each percent-encoded whole, below the store's path; the store's query
 * (a signature, say) stays.
 */
export function addressOf(base: URL, key: string): URL {
  const address = new URL(base);
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  address.pathname = folder + key.split('/').map(encodePart).join('/');
  return address;
}

/** All but the unreserved characters of RFC 3986, as signatures of S3 demand. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** @throws InputError unless this is an address that a store can stand at */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InputError('the address of an HTTP store must be a URL that starts with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new InputError('credentials must not stand in a URL; give them as a header of the store');
  url.hash = '';
  return url;
}

/**
 * Where to go on: https stays https, and nobody outside gets to choose an address of this machine or its network.
 * @throws StoreDeniedError, StoreUnavailableError
 */
export function resolveRedirect(from: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, from.href))
    throw new StoreUnavailableError('the server redirects without saying where to');
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw new StoreDeniedError('the server redirects from https to another protocol; that is not followed');
  if (isPrivate(to.hostname) && !isPrivate(from.hostname))
    throw new StoreDeniedError('the server redirects into a private network; that is not followed');
  if (linkLocal.test(to.hostname) && to.hostname !== from.hostname)
    throw new StoreDeniedError("the server redirects to this machine's own services; that is not followed");
  return to;
}

/** Where clouds hand out the credentials of a machine. */
const linkLocal = /^169\.254\.|^\[fe[89ab][0-9a-f]:|^\[fd00:ec2:|^metadata\.google\.internal$/;

const privateHosts = [
  /^localhost$|\.localhost$|\.local$|\.internal$/,
  /^(?:0|10|127)\./,
  /^192\.168\./,
  /^169\.254\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*)\]$/,
];

/** By its name alone: what a public name resolves to is not looked up. */
function isPrivate(hostname: string): boolean {
  return privateHosts.some((pattern) => pattern.test(hostname));
}
