/** From keys to addresses, and where a redirect may lead. */
import ipaddr from 'ipaddr.js';
import { InputError, StoreDeniedError, StoreUnavailableError } from '../../errors.js';
import { isPublicAddress } from './public-address.js';

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
 * The target of a redirect. Https never becomes http, and another host must be a public one: whoever controls a store's
 * server must not choose an address of this machine or its network. Names are only checked for their form here;
 * `guarded-fetch-node.ts` checks the addresses that they resolve to.
 * @throws StoreDeniedError, StoreUnavailableError
 */
export function resolveRedirect(from: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, from.href))
    throw new StoreUnavailableError('the server redirects without a valid location');
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw new StoreDeniedError(
      `redirect refused: ${from.protocol}// must not lead to ${to.protocol}//; configure the final address`,
    );
  if (!isSameHost(from, to) && !mayBePublic(to)) throw privateAddressDenied();
  return to;
}

/** Whether both name the same host, with or without the dot at the end. */
export function isSameHost(a: URL, b: URL): boolean {
  return hostOf(a) === hostOf(b);
}

/** Redirects and name servers must not lead a store's requests into a private network. */
export function privateAddressDenied(): StoreDeniedError {
  return new StoreDeniedError(
    'connection refused: the server or its name leads to an address that is not public; configure the final address',
  );
}

/** In lower case, without brackets and the dot of the root. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
}

/** Names without a dot, and those reserved for local use (RFC 6761, 6762, 8375, 9476), never are. */
function mayBePublic(url: URL): boolean {
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !/\.(?:localhost|local|internal|home\.arpa|alt)$/.test(host);
}
