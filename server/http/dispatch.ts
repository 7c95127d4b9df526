import { createCors } from './cors.js';
import { type Exchange, respond, respondWithProblem } from './exchange.js';
import { createHostCheck, hostOf } from './host-check.js';
import type { HttpConfig } from './options.js';
import {
  hostRefused,
  malformedRequest,
  originRefused,
  type Problem,
  unknownPath,
  wrongMethod,
  wrongUpgrade,
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
    Object.assign(exchange.headers, origin === undefined ? cors.always : cors.headers(origin));
    exchange.headers['cross-origin-resource-policy'] = resourcePolicy;
    const refusal = malformedHead(exchange);
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

/**
 * Node keeps the first of these headers and silently drops repeated ones. A proxy in front may have checked
 * the last one, so repeated headers are rejected (RFC 9110, section 5.3; RFC 9112, section 3.2).
 */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length']);

/** The reason why a request is malformed; undefined if it is well-formed. */
function malformedHead({ target, incoming }: Exchange): Problem | undefined {
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
