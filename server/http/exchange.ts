import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { OperationFailure, OperationRecord } from '../gateway/options.js';
import { type RequestMemory, noMemory } from '../memory/budget.js';
import { type Problem, problemText } from './problem.js';

/** One request and its response, with the data for the log and metrics. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly id: string;
  /** The client's address. Stored here, because it is unavailable after the connection has closed. */
  readonly address: string;
  readonly method: string;
  /** The parsed request target. No other code parses the target. */
  readonly target: RequestTarget | MalformedTarget;
  /** Path without the query, for routes and the log; `-` for a malformed target. */
  readonly path: string;
  /** The query of the target, without the question mark; may be empty. */
  readonly query: string;
  /** Headers of the response, before those of its route. */
  readonly headers: Record<string, string>;
  route: string;
  responseBytes: number;
  /** The executed operations: several for a batch. */
  readonly operations: OperationRecord[];
  /** `extensions.code` of the problem, if the request was rejected. */
  problemCode: string | undefined;
  /** Why a file could not be served. */
  failure: OperationFailure | undefined;
  /** Name of the caller; undefined without a valid token. */
  caller: string | undefined;
  /** Identifies the client for rate limits: the token's name, else the address. */
  client: string;
  /** The request's share of the memory budget, once it is admitted. */
  memory: RequestMemory;
  /** Whether the client was disconnected because it read its response too slowly. */
  tooSlow: boolean;
  /** The bytes after the head of a request for a WebSocket; undefined for other requests. */
  readonly upgradeHead: Buffer | undefined;
  /** Whether the connection has become a WebSocket. */
  isUpgraded: boolean;
  /** Expiry of the token, in milliseconds since 1970. */
  callerUntilMs: number | undefined;
}

/** Headers of every response. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No response may run or load anything, except the pages of GraphiQL and the explorer, which override this policy.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export function createExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  trustedProxies: number,
  upgradeHead?: Buffer,
): Exchange {
  const id = requestIdOf(incoming.headers['x-request-id']);
  const method = incoming.method ?? '';
  const target = parseTarget(method, incoming.url ?? '');
  return {
    incoming,
    outgoing,
    id,
    address: clientAddress(incoming, trustedProxies),
    method,
    target,
    path: 'path' in target ? target.path : '-',
    query: 'query' in target ? target.query : '',
    headers: { 'x-request-id': id, ...fixedHeaders },
    route: 'other',
    responseBytes: 0,
    operations: [],
    problemCode: undefined,
    failure: undefined,
    caller: undefined,
    client: '',
    memory: noMemory,
    tooSlow: false,
    upgradeHead,
    isUpgraded: false,
    callerUntilMs: undefined,
  };
}

/**
 * Runs `action` when the response ends or its connection closes, or immediately if either has already
 * happened.
 */
export function onceClosed(outgoing: ServerResponse, action: () => void): void {
  if (outgoing.closed) action();
  else outgoing.once('close', action);
}

/** Sends a small response. */
export function respond(
  exchange: Exchange,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  const { outgoing, method } = exchange;
  const bytes = Buffer.from(body, 'utf8');
  outgoing.writeHead(status, { ...exchange.headers, ...headers, 'content-length': String(bytes.length) });
  if (method === 'HEAD' || bytes.length === 0) outgoing.end();
  else {
    exchange.responseBytes = bytes.length;
    outgoing.end(bytes);
  }
}

/** Sends a problem. If the response has already started, closes the connection instead. */
export function respondWithProblem(exchange: Exchange, problem: Problem): void {
  if (exchange.outgoing.headersSent) {
    exchange.outgoing.destroy();
    return;
  }
  exchange.problemCode = problem.code;
  respond(exchange, problem.status, problemText(problem, exchange.id), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...problem.headers,
  });
}

/** The request id given by a client or proxy if it is safe in logs and headers, else a new one. */
export function requestIdOf(incoming: string | readonly string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._:@/+=-]{1,100}$/.test(incoming)
    ? incoming
    : randomUUID();
}

/**
 * The address that identifies a client. Behind proxies, it is the address that the outermost trusted proxy
 * saw: the client may have forged the entries of `X-Forwarded-For` to the left of it. IPv6 addresses are
 * truncated to their first 64 bits, since one client usually owns the whole network.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress = '' } = socket;
  const address =
    trustedProxies === 0 ? remoteAddress : forwardedAddress(headers, remoteAddress, trustedProxies);
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(plain) ? networkOf(plain) : plain.slice(0, 64);
}

function forwardedAddress(
  headers: IncomingMessage['headers'],
  remoteAddress: string,
  trustedProxies: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .map((address) => address.trim());
  const hops = [...forwarded, remoteAddress];
  return withoutPort(hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? '');
}

/**
 * Removes the port that some proxies append to the client's address and that differs for every connection:
 * `1.2.3.4:5678`, `[2001:db8::1]:5678`.
 */
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

// The only parser of request targets (RFC 9112, section 3.2). Routing uses its path and no later code parses
// the target again, so that all parts of the server agree on the target. A target that any URL parser could
// normalise into another path is rejected.

interface RequestTarget {
  /** The path. Starts with a slash; percent encodings are kept. `*` for `OPTIONS *`. */
  readonly path: string;
  /** The text after the question mark; may be empty. */
  readonly query: string;
  /** The authority of the absolute form, which replaces the Host header (RFC 9112, section 3.2.2). */
  readonly authority: string | undefined;
}

/** The reason for rejecting a target. Shown to the client. */
interface MalformedTarget {
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
