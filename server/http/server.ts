import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createGatekeeper } from './admission.js';
import { announcedBytes } from './body.js';
import { createDispatch } from './dispatch.js';
import { answerProblem, createExchange, type Exchange } from './exchange.js';
import type { Running } from './ask-gateway.js';
import { createFilesRoute } from './files-route.js';
import { createGraphqlRoute } from './graphql-route.js';
import { listenOn } from './listen.js';
import { oneAtATime } from './one-at-a-time.js';
import type { HttpServer, HttpServerParts } from './options.js';
import { BusyError } from '../memory/busy-error.js';
import { LimitError } from '../zarr/index.js';
import { busy, internalProblem, tooLarge } from './problem.js';
import { createRequestLog } from './request-log.js';
import { createReadiness } from './readiness.js';
import { createRoutes, type Route } from './routes.js';
import { createShutdown } from './shutdown.js';

/** Longer than the minute after which common load balancers close idle connections: they close first. */
const keepAliveTimeoutMs = 65_000;

/** Node's HTTP server around a gateway: routes, bounds, CORS, ids, log, metrics and an orderly end. */
export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { config, logger, metrics } = parts;
  const running: Running = new Set();
  const gatekeeper = createGatekeeper(parts);
  const logRequest = createRequestLog(logger);
  const dispatch = createDispatch(
    config,
    createRoutes({
      metrics,
      isDraining: () => shutdown.isAnnounced,
      readiness: createReadiness(parts),
      graphql: createGraphqlRoute(parts, gatekeeper, running),
      files: createFilesRoute(parts, gatekeeper, running),
      admitToMetrics: (exchange) => gatekeeper.admitToMetrics(exchange),
    }),
  );

  const server = createServer(
    {
      keepAliveTimeout: Math.min(keepAliveTimeoutMs, config.idleTimeoutMs),
      requestTimeout: config.receiveTimeoutMs,
      headersTimeout: config.receiveTimeoutMs,
      connectionsCheckingInterval: Math.min(30_000, Math.max(500, Math.floor(config.receiveTimeoutMs / 4))),
    },
    oneAtATime(handle),
  );
  server.timeout = config.idleTimeoutMs;
  const shutdown = createShutdown(server, running, config.drainTimeoutMs, logger);
  // A client that waits for "100 Continue" before it sends what is too large need not send it.
  server.on(
    'checkContinue',
    oneAtATime((incoming, outgoing) => {
      if ((announcedBytes(incoming) ?? 0) <= config.maxBodyBytes) outgoing.writeContinue();
      handle(incoming, outgoing);
    }),
  );

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const started = performance.now();
    const exchange = createExchange(incoming, outgoing, config.trustedProxies);
    if (shutdown.isAnnounced) exchange.headers['connection'] = 'close';
    metrics.inFlight(1);
    const { route, done } = dispatch(exchange);
    outgoing.on('close', () => {
      report(exchange, route, performance.now() - started);
    });
    done?.catch((error: unknown) => {
      if (error instanceof BusyError) {
        answerProblem(exchange, busy(error));
        return;
      }
      if (error instanceof LimitError) {
        answerProblem(exchange, tooLarge(error));
        return;
      }
      // What a client has walked away from may well fail.
      if (outgoing.destroyed && error instanceof DOMException) return;
      logger.error({ err: error, id: exchange.id }, 'request failed');
      answerProblem(exchange, internalProblem);
    });
  }

  function report(exchange: Exchange, route: Route | undefined, durationMs: number): void {
    const { method, operation, responseBytes, outgoing } = exchange;
    const path = route?.below === true ? route.path : exchange.path;
    const aborted = !outgoing.writableFinished;
    const status = outgoing.headersSent ? outgoing.statusCode : 499;
    metrics.inFlight(-1);
    shutdown.requestEnded();
    const of = { method, path, status, durationMs, responseBytes, aborted, operation };
    metrics.request({ ...of, route: exchange.route });
    logRequest(exchange, of, route?.quiet === true);
  }

  return {
    listen: () => listenOn(server, config),
    announceEnd: (delayMs) => shutdown.announce(delayMs),
    close: () => shutdown.close(),
  };
}
