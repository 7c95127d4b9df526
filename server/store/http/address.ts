/** URLs of objects, and the check of redirects. */
import { isAddress, isPublicAddress } from '#public-address';
import { InputError, StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';

/**
 * Creates the URL of an object: the percent-encoded parts of the key, appended to the path of the store. The
 * query of the store (such as a signature) is kept.
 */
export function addressOf(base: URL, key: string): URL {
  const address = new URL(base);
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  address.pathname = folder + key.split('/').map(encodePart).join('/');
  return address;
}

/** Encodes all characters except the unreserved ones of RFC 3986, as S3 signatures require. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** @throws InputError for a URL that is not valid for a store */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InputError('the URL of an HTTP store must start with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new InputError('credentials in URLs are not allowed; use a header of the store');
  url.hash = '';
  return url;
}

/**
 * Resolves the target of a redirect. Redirects from https to http are rejected, and another server must be
 * public. Otherwise, the operator of a store's server could direct requests to this machine or its network.
 * This function checks only the names; `guarded-fetch-node.ts` checks the addresses they resolve to.
 * @throws StoreDeniedError for a target that is not allowed; StoreUnavailableError for a missing or invalid
 * location
 */
export function resolveRedirect(from: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, from.href))
    throw new StoreUnavailableError('the redirect has a missing or invalid Location header');
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw new StoreDeniedError(
      `redirect refused: ${from.protocol}// must not lead to ${to.protocol}//; configure the final URL`,
    );
  if (!isSameServer(from, to) && !mayBePublic(to)) throw privateAddressDenied();
  return to;
}

/**
 * Whether both URLs have the same host, ignoring a trailing dot, and the same port. Other ports of the host may
 * belong to services that are not public. A redirect from http to https changes the default port.
 */
export function isSameServer(a: URL, b: URL): boolean {
  return hostOf(a) === hostOf(b) && a.port === b.port;
}

/** Creates the error for requests that a redirect or name server directs to a private network. */
export function privateAddressDenied(): StoreDeniedError {
  return new StoreDeniedError(
    'connection refused: the server resolves or redirects to an address that is not public; configure the final URL',
  );
}

/** The host name in lower case, without brackets and trailing dot. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
}

/**
 * Whether a host may be public. Names without a dot, and those below a domain for local use (RFC 6761, 6762,
 * 8375, 9476, and `internal`), never are.
 */
function mayBePublic(url: URL): boolean {
  const host = hostOf(url);
  if (isAddress(host)) return isPublicAddress(host);
  return host.includes('.') && !/\.(?:localhost|local|internal|home\.arpa|alt)$/.test(host);
}
