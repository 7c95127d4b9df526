/**
 * The only parser of request targets (RFC 9112, section 3.2). Routing uses its path and no later code parses the
 * target again, so that all parts of the server agree on the target. A target that any URL parser could normalise
 * into another path is rejected.
 */
import { isIPv6 } from 'node:net';

export interface RequestTarget {
  /** The path. Starts with a slash; percent encodings are kept. `*` for `OPTIONS *`. */
  readonly path: string;
  /** The text after the question mark; may be empty. */
  readonly query: string;
  /** The authority of the absolute form, which replaces the Host header (RFC 9112, section 3.2.2). */
  readonly authority: string | undefined;
}

/** The reason for rejecting a target. Shown to the client. */
export interface MalformedTarget {
  readonly malformed: string;
}

/**
 * Characters allowed in a target: visible ASCII. Browsers do not encode characters such as `{` in queries.
 */
const visible = /^[!-~]+$/;
/** RFC 3986, section 3.3: slashes, unreserved characters, percent encodings, sub-delimiters, ":" and "@". */
const pathForm = /^\/(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9a-f]{2})*$/i;
const absoluteForm = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)(.*)$/i;

export function parseTarget(method: string, target: string): RequestTarget | MalformedTarget {
  if (!visible.test(target)) return { malformed: 'it has characters other than visible ASCII' };
  if (target.includes('#')) return { malformed: 'it has a fragment' };
  if (target.startsWith('/')) return parseOrigin(target, undefined);
  if (target === '*' && method === 'OPTIONS') return { path: '*', query: '', authority: undefined };
  const [, scheme = '', authority = '', rest = ''] = absoluteForm.exec(target) ?? [];
  if (scheme === '') return { malformed: 'expected a path that starts with "/"' };
  if (!/^https?$/i.test(scheme)) return { malformed: 'its scheme is neither http nor https' };
  if (hostnameOf(authority) === undefined)
    return { malformed: 'its authority is not a host name or address with an optional port' };
  return parseOrigin(rest.startsWith('/') ? rest : `/${rest}`, authority);
}

function parseOrigin(text: string, authority: string | undefined): RequestTarget | MalformedTarget {
  const at = text.indexOf('?');
  const path = at < 0 ? text : text.slice(0, at);
  if (!pathForm.test(path)) return { malformed: 'its path has characters that must be percent-encoded' };
  // In other paths, no segment can have an encoded character or be "." or "..".
  if (/[.%]/.test(path))
    for (const segment of path.split('/')) {
      const reason = wrongSegment(segment);
      if (reason !== undefined) return { malformed: reason };
    }
  return { path, query: at < 0 ? '' : text.slice(at + 1), authority };
}

function wrongSegment(segment: string): string | undefined {
  const decoded = decode(segment);
  if (decoded === undefined) return 'its path has percent encodings that are not UTF-8';
  // Some servers remove the parameters of a segment before they resolve dots: "..;a=b".
  const [name] = decoded.split(';');
  if (name === '.' || name === '..') return 'its path has a "." or ".." segment';
  // An encoded percent sign could hide an encoded character from this check if a later stage decodes
  // twice.
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  return /[\u0000-\u001f\u007f-\u009f/\\%]/.test(decoded)
    ? 'its path has an encoded slash, backslash, percent sign or control character'
    : undefined;
}

/** Decodes a segment; undefined for encodings that are not valid UTF-8, such as overlong ones. */
function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

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
