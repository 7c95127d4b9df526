import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { hostnameOf } from './request-target.js';
import type { Exchange } from './exchange.js';

/** The requested host: the authority of the target, else the Host header. */
export function hostOf({ target, incoming }: Exchange): string | undefined {
  const authority = 'authority' in target ? target.authority : undefined;
  return authority ?? incoming.headers.host;
}

/**
 * Whether a Host header is allowed. Guards against DNS rebinding: a web page whose host name resolves to
 * this server passes the browser's same-origin check, but its requests have that host name. IP addresses
 * are always allowed, because they cannot be rebound.
 */
export function createHostCheck(
  config: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>,
): (host: string | undefined) => boolean {
  const names = new Set(['localhost', config.host.toLowerCase(), ...config.allowedHosts]);
  if (config.publicUrl !== undefined) names.add(new URL(config.publicUrl).hostname.toLowerCase());
  const any = names.has('*');
  // Clients repeat the same header, so the last result is cached.
  let last: string | undefined;
  return (host) => {
    if (any || (host !== undefined && host === last)) return true;
    const name = host === undefined ? undefined : hostnameOf(host);
    if (name === undefined) return false;
    const allowed =
      names.has(name) || names.has(`[${name}]`) || isIP(name) !== 0 || name.endsWith('.localhost');
    if (allowed) last = host;
    return allowed;
  };
}
