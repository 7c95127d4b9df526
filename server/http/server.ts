import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { BusyError } from '../memory/busy-error.js';
import { LimitError } from '../zarr/index.js';
import { createAccessControl } from './access-control.js';
import { createAdminServer } from './admin-server.js';
import { createDispatch } from './dispatch.js';
import { createExchange, type Exchange, respondWithProblem } from './exchange.js';
import { createExplorerRoute } from './explorer-route.js';
import { readExplorerFiles } from './explorer-files.js';
import { createFilesRoute, createTilesRoute } from './files-route.js';
import { createObjectsRoute } from './objects-route.js';
import { createEventStreamRoute } from './event-stream/route.js';
import { createHandlerRunner, type Running } from './gateway-handler.js';
import { createGraphqlRoute } from './graphql-route.js';
import { listenOn } from './listen.js';
import { createConnectionCounts } from './operations/connection-counts.js';
import type { HttpServer, HttpServerParts } from './options.js';
import { busy, internalProblem, tooLargeProblem } from './problem.js';
import { createReadiness } from './readiness.js';
import { createRequestLog } from './request-log.js';
import { createAdminRoutes, createRoutes, GRAPHQL_PATH, type Route, type RouteParts } from './routes.js';
import { createShutdown } from './shutdown.js';
import { createUpgrades } from './websocket/upgrade.js';
import { createWebSocketRoute } from './websocket/route.js';

/**
 * Keep-alive timeout: longer than the 60 seconds of common load balancers, so that they close idle
 * connections first.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Creates Node's HTTP server around a gateway: routes, limits, CORS, request ids, logging, metrics and
 * graceful shutdown.
 */
export function createHttpServer(given: HttpServerParts): HttpServer {
  // A copy: `change` replaces its `auth` and limits of clients.
  const config = { ...given.config };
  const parts = { ...given, config };
  const { logger, metrics, tls, telemetry } = parts;
  const running: Running = new Set();
  const access = createAccessControl(parts);
  const logRequest = createRequestLog(logger, config.slowRequestMs);
  const counts = createConnectionCounts(config);
  const webSockets = createWebSocketRoute(parts, access, running, logRequest, counts);
  const eventStreams = createEventStreamRoute({ ...parts, running, log: logRequest }, access, counts);
  const handling = { ...parts, runHandler: createHandlerRunner(parts) };
  const graphql = createGraphqlRoute(handling, access, running);
  const routeParts: RouteParts = {
    metrics,
    isDraining: () => shutdown.isAnnounced,
    readiness: createReadiness(parts),
    graphql: (exchange) => eventStreams.handle(exchange) ?? graphql(exchange),
    typedGraphql: graphql,
    webSockets: (exchange) => webSockets.accept(exchange),
    files: createFilesRoute(handling, access, running),
    explorer: createExplorerRoute(config, access, config.explorer ? readExplorerFiles() : undefined),
    tiles: createTilesRoute(handling, access, running),
    objects: createObjectsRoute(handling, access, running),
    admitToMetrics: (exchange) => access.admitToMetrics(exchange),
  };
  const routes = createRoutes(routeParts);
  const { adminAddress } = config;
  const admin =
    adminAddress === undefined ? undefined : createAdminServer(adminAddress, createAdminRoutes(routeParts));
  const dispatch = createDispatch(
    config,
    admin === undefined ? routes : routes.filter(({ path }) => path !== '/metrics'),
  );

  const options = {
    keepAliveTimeout: Math.min(KEEP_ALIVE_TIMEOUT_MS, config.idleTimeoutMs),
    requestTimeout: config.receiveTimeoutMs,
    headersTimeout: config.receiveTimeoutMs,
    connectionsCheckingInterval: Math.min(30_000, Math.max(500, Math.floor(config.receiveTimeoutMs / 4))),
  };
  const tlsServer =
    tls === undefined ? undefined : createTlsServer({ ...options, ...tls }, oneAtATime(handle));
  const server = tlsServer ?? createServer(options, oneAtATime(handle));
  server.timeout = config.idleTimeoutMs;
  const shutdown = createShutdown(server, running, [webSockets, eventStreams], config.drainTimeoutMs, logger);
  // A client that waits for "100 Continue" learns that its body is too large before it sends the body.
  server.on(
    'checkContinue',
    oneAtATime((incoming, outgoing) => {
      if (Number(incoming.headers['content-length'] ?? 0) <= config.maxBodyBytes) outgoing.writeContinue();
      handle(incoming, outgoing);
    }),
  );

  /** Number of responses in flight by connection. */
  const responding = new WeakMap<Socket, number>();
  createUpgrades(server, handle, (socket) => (responding.get(socket) ?? 0) > 0);

  function handle(incoming: IncomingMessage, outgoing: ServerResponse, upgradeHead?: Buffer): void {
    const started = performance.now();
    const exchange = createExchange(incoming, outgoing, config.trustedProxies, upgradeHead);
    if (shutdown.isAnnounced) exchange.headers['connection'] = 'close';
    metrics.inFlight(1);
    exchange.span = telemetry?.begin(incoming);
    const { route, done } = exchange.span?.run(() => dispatch(exchange)) ?? dispatch(exchange);
    const { socket } = incoming;
    responding.set(socket, (responding.get(socket) ?? 0) + 1);
    outgoing.on('close', () => {
      responding.set(socket, (responding.get(socket) ?? 0) - 1);
      report(exchange, route, performance.now() - started);
    });
    done?.catch((error: unknown) => {
      if (error instanceof BusyError) {
        respondWithProblem(exchange, busy(error));
        return;
      }
      if (error instanceof LimitError) {
        respondWithProblem(exchange, tooLargeProblem(error));
        return;
      }
      // Failures after the client has disconnected are expected.
      if (outgoing.destroyed && error instanceof DOMException) return;
      logger.error({ err: error, id: exchange.id }, 'request failed');
      respondWithProblem(exchange, internalProblem);
    });
  }

  function report(exchange: Exchange, route: Route | undefined, durationMs: number): void {
    exchange.memory.end();
    const { method, operations, responseBytes, outgoing } = exchange;
    const path = route?.below === true ? route.path : exchange.path;
    const aborted = !outgoing.writableFinished && !exchange.isUpgraded;
    const status = exchange.isUpgraded ? 101 : outgoing.headersSent ? outgoing.statusCode : 499;
    metrics.inFlight(-1);
    shutdown.requestEnded();
    const record = { method, path, status, durationMs, responseBytes, aborted, operations };
    metrics.request({ route: exchange.route, ...record });
    logRequest(exchange, record, route?.quiet === true);
    if (exchange.span === undefined || route?.quiet === true) return;
    const { route: shownRoute, id } = exchange;
    exchange.span.end(
      `${method} ${shownRoute}`,
      {
        'http.request.method': method,
        'http.route': shownRoute,
        'http.response.status_code': status,
        'http.response.body.size': responseBytes,
        'zarrql.request_id': id,
      },
      status >= 500,
    );
  }

  return {
    async listen() {
      const origin = await listenOn(server, { ...config, isTls: tls !== undefined });
      const adminOrigin = await admin?.listen();
      if (adminOrigin !== undefined)
        logger.info({ address: adminOrigin }, 'listening for health and metrics');
      return origin.startsWith('unix:') ? origin : `${origin}${GRAPHQL_PATH}`;
    },
    change({ auth, limits, tls: material }) {
      if (limits !== undefined) {
        Object.assign(config, limits);
        access.changeLimits(limits);
      }
      if (material !== undefined) tlsServer?.setSecureContext(material);
      if (auth === undefined) return;
      config.auth = auth.value;
      access.changeAuth(auth.value);
      webSockets.closeAll();
      eventStreams.closeAll();
    },
    announceEnd: (delayMs) => shutdown.announce(delayMs),
    async close() {
      await shutdown.close();
      // Last, so that probes and metrics see the shutdown.
      await admin?.close();
    },
  };
}

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Handles the requests of a connection one at a time, in order. Node emits pipelined requests immediately,
 * but a response that is queued behind another emits no "close" if the connection ends, so its resources
 * would leak.
 */
function oneAtATime(handle: Handle): Handle {
  return (incoming, outgoing) => {
    if (outgoing.socket !== null) {
      handle(incoming, outgoing);
      return;
    }
    const { socket } = incoming;
    // Stops reading, because queued requests need memory.
    socket.pause();
    outgoing.once('socket', () => {
      socket.resume();
      if (!socket.destroyed) handle(incoming, outgoing);
    });
  };
}
