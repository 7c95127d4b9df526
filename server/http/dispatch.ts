import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { respond, respondWithProblem, type Exchange, hostnameOf } from './exchange.js';
import type { HttpConfig } from './options.js';
import {
  hostRefused,
  originRefused,
  wrongUpgrade,
  unknownPath,
  wrongMethod,
  malformedRequest,
  type Problem,
} from './problem.js';
import type { Route } from './routes.js';

/** Returns a function that checks and handles a request. It returns the matching route, if there is one. */
export function createDispatch(
  config: HttpConfig,
  routes: readonly Route[],
): (exchange: Exchange) => { readonly route: Route | undefined; readonly done: Promise<void> | void } {
  const isOurs = createHostCheck(config);
  const publicOrigin = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).origin;
  const cors = createCors(config.corsOrigins);
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const folders = routes.filter((route) => route.below === true);
  const paths = [...byPath.keys()];
  const resourcePolicy = config.corsOrigins.length === 0 ? 'same-origin' : 'cross-origin';

  function refuseOrHandle(exchange: Exchange, route: Route | undefined): Promise<void> | void {
    const { origin } = exchange.incoming.headers;
    Object.assign(exchange.headers, cors.headers(origin));
    exchange.headers['cross-origin-resource-policy'] = resourcePolicy;
    const refusal = refusalOf(exchange);
    if (refusal !== undefined) {
      // The bytes after a malformed request on the same connection may belong to it.
      exchange.headers['connection'] = 'close';
      respondWithProblem(exchange, refusal);
      return;
    }
    const host = hostOf(exchange);
    if (route?.anyHost !== true && !isOurs(host)) {
      respondWithProblem(exchange, hostRefused(host ?? ''));
      return;
    }
    if (route === undefined) {
      respondWithProblem(exchange, unknownPath(exchange.path, paths));
      return;
    }
    if (exchange.method === 'OPTIONS' && exchange.upgradeHead === undefined) {
      respondToOptions(exchange, route);
      return;
    }
    if (exchange.upgradeHead !== undefined) return upgrade(exchange, route, host);
    if (!route.methods.includes(exchange.method)) {
      respondWithProblem(exchange, wrongMethod(exchange.method, route.path, [...route.methods, 'OPTIONS']));
      return;
    }
    return route.handle(exchange);
  }

  function upgrade(exchange: Exchange, route: Route, host: string | undefined): Promise<void> | void {
    const { origin } = exchange.incoming.headers;
    if (route.upgrade === undefined)
      respondWithProblem(exchange, wrongUpgrade(`no WebSocket is served at ${route.path}; use /graphql`));
    // Browsers do not apply CORS to WebSockets, so any page could connect.
    else if (origin !== undefined && !cors.mayConnect(origin) && !isSameOrigin(origin, host))
      respondWithProblem(exchange, originRefused(origin));
    else return route.upgrade(exchange);
  }

  function isSameOrigin(origin: string, host: string | undefined): boolean {
    if (!URL.canParse(origin)) return false;
    const url = new URL(origin);
    return url.host === host?.toLowerCase() || url.origin === publicOrigin;
  }

  function respondToOptions(exchange: Exchange, route: Route): void {
    const { headers } = exchange.incoming;
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    const { origin } = headers;
    if (origin === undefined || headers['access-control-request-method'] === undefined) {
      respond(exchange, 204, '', { allow });
      return;
    }
    const allowed = cors.preflight(origin, headers['access-control-request-headers'], route.methods);
    if (allowed === undefined) respondWithProblem(exchange, originRefused(origin));
    else respond(exchange, 204, '', { allow, ...allowed });
  }

  return (exchange) => {
    const { path } = exchange;
    const route = byPath.get(path) ?? folders.find((folder) => path.startsWith(folder.path));
    exchange.route = route?.path ?? 'other';
    return { route, done: refuseOrHandle(exchange, route) };
  };
}

/** CORS headers. No other origin is allowed unless origins are configured. */
export interface Cors {
  /** Returns the headers of every response, including those that depend on the requesting origin. */
  headers(origin: string | undefined): Readonly<Record<string, string>>;
  /** Whether scripts of another origin may open WebSockets. */
  mayConnect(origin: string): boolean;
  /** Returns the headers of a preflight response; undefined if the origin is not allowed. */
  preflight(
    origin: string,
    requestedHeaders: string | undefined,
    methods: readonly string[],
  ): Readonly<Record<string, string>> | undefined;
}

/** Response headers that scripts may read, in addition to safelisted headers. */
const EXPOSED =
  'X-Request-Id, ETag, Accept-Ranges, Content-Range, Content-Disposition, Content-Length, Retry-After';
/** Time, in seconds, for which browsers may cache a preflight response: Chromium's maximum. */
const MAX_AGE_SECONDS = 7200;
const none: Readonly<Record<string, string>> = {};

/** @param origins exact origins, or "*" for any; credentials (cookies) are never allowed */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const allowed = new Set(origins);
  const vary = any || origins.length === 0 ? none : { vary: 'Origin' };
  const forAny = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };

  function headers(origin: string | undefined): Readonly<Record<string, string>> {
    if (origin === undefined) return vary;
    if (any) return forAny;
    if (!allowed.has(origin)) return vary;
    return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
  }

  return {
    headers,
    mayConnect: (origin) => any || allowed.has(origin),
    preflight(origin, requestedHeaders, methods) {
      if (!any && !allowed.has(origin)) return undefined;
      const isValid =
        requestedHeaders !== undefined && /^[\w!#$%&'*+.^`|~, -]{1,1000}$/.test(requestedHeaders);
      return {
        ...headers(origin),
        'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
        'access-control-allow-headers': isValid ? requestedHeaders : 'Content-Type, Accept',
        'access-control-max-age': String(MAX_AGE_SECONDS),
      };
    },
  };
}

// Checks of a request's head that run before all others.

/**
 * Node keeps the first of these headers and silently drops repeated ones. A proxy in front may have checked
 * the last one, so repeated headers are rejected (RFC 9110, section 5.3; RFC 9112, section 3.2).
 */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length']);

/** The reason why a request is malformed; undefined if it is well-formed. */
function refusalOf({ target, incoming }: Exchange): Problem | undefined {
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
