/** What is refused of a request's head before anything else looks at it. */
import type { Exchange } from './exchange.js';
import { malformedRequest, type Problem } from './problem.js';

/**
 * Node keeps the first of these and drops the others without a word. A proxy in front may have checked the last one, so a
 * second one is refused (RFC 9110, section 5.3; RFC 9112, section 3.2).
 */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length']);

/** Why the request is malformed, if it is. */
export function refusalOf({ target, incoming }: Exchange): Problem | undefined {
  if ('malformed' in target) return malformedRequest(`the request target is refused: ${target.malformed}`);
  const repeated = repeatedHeader(incoming.rawHeaders);
  if (repeated !== undefined) return malformedRequest(`the header "${repeated}" stands more than once`);
  const coding = incoming.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return {
      ...malformedRequest('the only transfer coding that this server decodes is "chunked"'),
      status: 501,
    };
  return undefined;
}

/** The host that the request is for: the authority of its target, else its Host header. */
export function hostOf({ target, incoming }: Exchange): string | undefined {
  const authority = 'authority' in target ? target.authority : undefined;
  return authority ?? incoming.headers.host;
}

/** @param headers names and values in turns */
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
