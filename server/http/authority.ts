import { isIPv6 } from 'node:net';

const form = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{0,5}))?$/i;

/**
 * The host name of `host[:port]` (RFC 3986, section 3.2, without user information), in lower case, without
 * brackets and without the dot at its end; undefined for any other text.
 */
export function hostnameOf(authority: string): string | undefined {
  const match = form.exec(authority);
  if (match === null) return undefined;
  const [, address, name, port = ''] = match;
  if (Number(port) > 65_535) return undefined;
  if (address !== undefined) return isIPv6(address) ? address.toLowerCase() : undefined;
  return name === undefined ? undefined : name.replace(/\.$/, '').toLowerCase() || undefined;
}
