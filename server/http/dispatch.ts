import { createCors } from './cors.js';
import { answer, answerProblem, type Exchange } from './exchange.js';
import type { HttpConfig } from './options.js';
import { hostRefused, originRefused, unknownPath, wrongMethod } from './problem.js';
import { createHostCheck, hostOf, refusalOf } from './request-head.js';
import type { Route } from './routes.js';

/** Checks a request and routes it. @returns the route, if any matches */
export function createDispatch(
  config: HttpConfig,
  routes: readonly Route[],
): (exchange: Exchange) => { readonly route: Route | undefined; readonly done: Promise<void> | void } {
  const isOurs = createHostCheck(config);
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
      answerProblem(exchange, refusal);
      return;
    }
    const host = hostOf(exchange);
    if (route?.anyHost !== true && !isOurs(host)) {
      answerProblem(exchange, hostRefused(host ?? ''));
      return;
    }
    if (route === undefined) {
      answerProblem(exchange, unknownPath(exchange.path, paths));
      return;
    }
    if (exchange.method === 'OPTIONS') {
      answerOptions(exchange, route);
      return;
    }
    if (!route.methods.includes(exchange.method)) {
      answerProblem(exchange, wrongMethod(exchange.method, route.path, [...route.methods, 'OPTIONS']));
      return;
    }
    return route.handle(exchange);
  }

  function answerOptions(exchange: Exchange, route: Route): void {
    const { headers } = exchange.incoming;
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    const { origin } = headers;
    if (origin === undefined || headers['access-control-request-method'] === undefined) {
      answer(exchange, 204, '', { allow });
      return;
    }
    const allowed = cors.preflight(origin, headers['access-control-request-headers']);
    if (allowed === undefined) answerProblem(exchange, originRefused(origin));
    else answer(exchange, 204, '', { allow, ...allowed });
  }

  return (exchange) => {
    const { path } = exchange;
    const route = byPath.get(path) ?? folders.find((folder) => path.startsWith(folder.path));
    exchange.route = route?.path ?? 'other';
    return { route, done: refuseOrHandle(exchange, route) };
  };
}
