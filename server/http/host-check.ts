import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { hostnameOf } from './authority.js';

/**
 * Whether the gateway answers to a Host header. Guards against DNS rebinding: a web page whose own name has been
 * pointed at this server would pass the browser's same-origin check, but its requests carry that name. Addresses
 * are let through, since no name stands in them to be pointed elsewhere.
 */
export function createHostCheck(
  config: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>,
): (host: string | undefined) => boolean {
  const names = new Set(['localhost', config.host.toLowerCase(), ...config.allowedHosts]);
  if (config.publicUrl !== undefined) names.add(new URL(config.publicUrl).hostname.toLowerCase());
  const any = names.has('*');
  // Clients repeat themselves: what was found last is kept.
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
