/** Checks of a request's head that run before all others. */
import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { hostnameOf } from './authority.js';
import type { Exchange } from './exchange.js';
import { malformedRequest, type Problem } from './problem.js';

/**
 * Node keeps the first of these headers and silently drops repeated ones. A proxy in front may have checked
 * the last one, so repeated headers are refused (RFC 9110, section 5.3; RFC 9112, section 3.2).
 */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length']);

/** Why the request is malformed; undefined if it is well-formed. */
export function refusalOf({ target, incoming }: Exchange): Problem | undefined {
  if ('malformed' in target) return malformedRequest(`invalid request target: ${target.malformed}`);
  const repeated = repeatedHeader(incoming.rawHeaders);
  if (repeated !== undefined) return malformedRequest(`the header "${repeated}" is repeated`);
  const coding = incoming.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return {
      ...malformedRequest('unsupported transfer coding; use "chunked"'),
      status: 501,
    };
  return undefined;
}

/** The requested host: the authority of the target, else the Host header. */
export function hostOf({ target, incoming }: Exchange): string | undefined {
  const authority = 'authority' in target ? target.authority : undefined;
  return authority ?? incoming.headers.host;
}

/** @param headers alternating names and values */
function repeatedHeader(headers: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
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
