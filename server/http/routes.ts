import { answer, type Exchange } from './exchange.js';
import type { Metrics } from './metrics.js';

export const graphqlPath = '/graphql';
/** Files are below it. */
export const filesPath = '/files/';

/** What is served at one path. OPTIONS is answered by the server itself. */
export interface Route {
  readonly path: string;
  /** Every path below it too, none of which is logged: what is there may be a secret. Then `path` ends in a slash. */
  readonly below?: boolean;
  readonly methods: readonly string[];
  /** Answers every Host header: nothing there is worth guarding. */
  readonly anyHost?: boolean;
  /** Logged at level debug: asked for every few seconds by machines. */
  readonly quiet?: boolean;
  handle(exchange: Exchange): Promise<void> | void;
}

export interface RouteParts {
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  /** What is said of a gateway that is ready. */
  readonly readiness: (exchange: Exchange) => string;
  readonly graphql: (exchange: Exchange) => Promise<void>;
  readonly files: (exchange: Exchange) => Promise<void>;
  readonly admitToMetrics: (exchange: Exchange) => Promise<boolean>;
}

const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export function createRoutes({
  metrics,
  isDraining,
  readiness,
  graphql,
  files,
  admitToMetrics,
}: RouteParts): readonly Route[] {
  return [
    { path: graphqlPath, methods: ['GET', 'HEAD', 'POST'], handle: graphql },
    { path: filesPath, below: true, methods: ['GET', 'HEAD'], handle: files },
    {
      path: '/',
      methods: ['GET', 'HEAD'],
      // Relative, so that it also holds below a proxy's prefix.
      handle: (exchange) => {
        answer(exchange, 302, '', { location: 'graphql' });
      },
    },
    {
      path: '/livez',
      methods: ['GET', 'HEAD'],
      anyHost: true,
      quiet: true,
      handle: (exchange) => {
        answer(exchange, 200, 'ok\n', text);
      },
    },
    {
      path: '/readyz',
      methods: ['GET', 'HEAD'],
      anyHost: true,
      quiet: true,
      handle: (exchange) => {
        if (isDraining()) answer(exchange, 503, 'draining\n', text);
        else answer(exchange, 200, `${readiness(exchange)}\n`, text);
      },
    },
    {
      path: '/metrics',
      methods: ['GET', 'HEAD'],
      quiet: true,
      handle: async (exchange) => {
        if (!(await admitToMetrics(exchange))) return;
        answer(exchange, 200, await metrics.text(), { 'content-type': metrics.contentType });
      },
    },
  ];
}
