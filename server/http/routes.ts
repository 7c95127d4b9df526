import { type Exchange, respond } from './exchange.js';
import { ASSETS_PATH, type ExplorerRoute } from './explorer-route.js';
import type { Metrics } from './metrics.js';

export const GRAPHQL_PATH = '/graphql';
/** Path prefix of files behind links. */
export const FILES_PATH = '/files/';
/** Path prefix of map tiles behind links. */
export const TILES_PATH = '/tiles/';
/** Path prefix of the objects of Zarr stores. */
export const ZARR_PATH = '/zarr/';

/** The handler of one path. The server handles OPTIONS for all paths. */
export interface Route {
  readonly path: string;
  /**
   * Whether the route also serves all paths below `path`, which then ends in a slash. These paths are not
   * logged, because they may contain a secret.
   */
  readonly below?: boolean;
  readonly methods: readonly string[];
  /** Whether every Host header is allowed, for routes without sensitive data. */
  readonly anyHost?: boolean;
  /** Whether requests without an error code are logged at level debug, for endpoints that machines poll. */
  readonly quiet?: boolean;
  handle(exchange: Exchange): Promise<void> | void;
  /** Serves a WebSocket. @default requests for one are rejected */
  upgrade?(exchange: Exchange): Promise<void> | void;
}

export interface RouteParts {
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  /** Body of `/readyz` if the gateway is ready. */
  readonly readiness: (exchange: Exchange) => string;
  readonly graphql: (exchange: Exchange) => Promise<void>;
  /** Schemas of stores. */
  readonly typedGraphql: (exchange: Exchange) => Promise<void>;
  readonly webSockets: (exchange: Exchange) => void;
  readonly files: (exchange: Exchange) => Promise<void>;
  readonly explorer: ExplorerRoute;
  readonly tiles: (exchange: Exchange) => Promise<void>;
  /** Objects of Zarr stores. */
  readonly objects: (exchange: Exchange) => Promise<void>;
  readonly admitToMetrics: (exchange: Exchange) => Promise<boolean>;
}

const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export function createRoutes({
  metrics,
  isDraining,
  readiness,
  graphql,
  typedGraphql,
  webSockets,
  files,
  explorer,
  tiles,
  objects,
  admitToMetrics,
}: RouteParts): readonly Route[] {
  return [
    {
      path: GRAPHQL_PATH,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      handle: graphql,
      upgrade: webSockets,
    },
    {
      path: `${GRAPHQL_PATH}/`,
      below: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      handle: typedGraphql,
    },
    { path: FILES_PATH, below: true, methods: ['GET', 'HEAD'], handle: files },
    { path: TILES_PATH, below: true, methods: ['GET', 'HEAD'], handle: tiles },
    { path: ZARR_PATH, below: true, methods: ['GET', 'HEAD'], handle: objects },
    { path: '/', methods: ['GET', 'HEAD'], handle: explorer.page },
    { path: ASSETS_PATH, below: true, methods: ['GET', 'HEAD'], quiet: true, handle: explorer.asset },
    ...createHealthRoutes(isDraining, readiness),
    {
      path: '/metrics',
      methods: ['GET', 'HEAD'],
      quiet: true,
      handle: async (exchange) => {
        if (!(await admitToMetrics(exchange))) return;
        respond(exchange, 200, await metrics.text(), { 'content-type': metrics.contentType });
      },
    },
  ];
}

/** The routes of the separate address for health and metrics. */
export function createAdminRoutes({ metrics, isDraining, readiness }: RouteParts): readonly Route[] {
  return [
    ...createHealthRoutes(isDraining, readiness),
    {
      path: '/metrics',
      methods: ['GET', 'HEAD'],
      handle: async (exchange) =>
        respond(exchange, 200, await metrics.text(), { 'content-type': metrics.contentType }),
    },
  ];
}

function createHealthRoutes(
  isDraining: RouteParts['isDraining'],
  readiness: RouteParts['readiness'],
): readonly Route[] {
  return [
    {
      path: '/livez',
      methods: ['GET', 'HEAD'],
      anyHost: true,
      quiet: true,
      handle: (exchange) => {
        respond(exchange, 200, 'ok\n', text);
      },
    },
    {
      path: '/readyz',
      methods: ['GET', 'HEAD'],
      anyHost: true,
      quiet: true,
      handle: (exchange) => {
        if (isDraining()) respond(exchange, 503, 'draining\n', text);
        else respond(exchange, 200, `${readiness(exchange)}\n`, text);
      },
    },
  ];
}
