import { isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * The address that identifies a client. Behind proxies, it is the address that the outermost trusted proxy
 * saw: the client may have forged the entries of `X-Forwarded-For` to the left of it. IPv6 addresses are cut
 * to their first 64 bits, since one client usually owns the whole network.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .map((address) => address.trim());
  const hops = [...forwarded, request.socket.remoteAddress ?? ''];
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? '';
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(plain) ? networkOf(plain) : plain.slice(0, 64);
}

/** Some proxies append the client's port, which differs for every connection: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
}

/** The first 64 bits. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
