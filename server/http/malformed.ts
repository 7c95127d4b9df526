import type { Exchange } from './exchange.js';
import { malformedRequest, type Problem } from './problem.js';

/**
 * Node keeps the first of these headers and silently drops repeated ones. A proxy in front may have checked
 * the last one, so repeated headers are rejected (RFC 9110, section 5.3; RFC 9112, section 3.2).
 */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length']);

/** The reason why a request is malformed; undefined if it is well-formed. */
export function malformedHead({ target, incoming }: Exchange): Problem | undefined {
  if ('malformed' in target) return malformedRequest(`invalid request target: ${target.malformed}`);
  const repeated = repeatedHeader(incoming.rawHeaders);
  if (repeated !== undefined) return malformedRequest(`the header "${repeated}" is repeated`);
  const coding = incoming.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return {
      ...malformedRequest(`unsupported transfer coding ${JSON.stringify(coding)}; use "chunked"`),
      status: 501,
    };
  return undefined;
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
