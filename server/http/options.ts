import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Gateway } from '../gateway/options.js';
import type { SharedBudgets } from '../redis/shared-budgets.js';
import type { Metrics } from './metrics.js';
import type { Telemetry } from './telemetry/telemetry.js';
import type { TlsMaterial } from './tls.js';

/** The part of `Config` that the HTTP server uses. */
export type HttpConfig = Pick<
  Config,
  | 'host'
  | 'port'
  | 'socket'
  | 'adminAddress'
  | 'slowRequestMs'
  | 'corsOrigins'
  | 'publicUrl'
  | 'allowedHosts'
  | 'maxBodyBytes'
  | 'requestTimeoutMs'
  | 'receiveTimeoutMs'
  | 'idleTimeoutMs'
  | 'drainTimeoutMs'
  | 'explorer'
  | 'graphiql'
  | 'auth'
  | 'compression'
  | 'trustedProxies'
  | 'maxClientRequests'
  | 'maxClientCost'
  | 'maxClientConnections'
  | 'maxConnectionOperations'
  | 'minClientBytesPerSecond'
>;

/** Limits of each client. */
export type ClientLimits = Pick<
  HttpConfig,
  'maxClientRequests' | 'maxClientCost' | 'maxClientConnections' | 'maxConnectionOperations'
>;

export interface HttpServerParts {
  readonly config: HttpConfig;
  readonly gateway: Pick<
    Gateway,
    | 'handleOperation'
    | 'handleMessage'
    | 'handleSchema'
    | 'handleFile'
    | 'handleTile'
    | 'handleZarr'
    | 'handlePage'
    | 'memory'
  >;
  readonly logger: Pick<Logger, 'info' | 'debug' | 'error' | 'warn'> &
    Partial<Pick<Logger, 'isLevelEnabled'>>;
  readonly metrics: Metrics;
  /** Traces; its `metrics` are those of the server. @default none */
  readonly telemetry?: Telemetry | undefined;
  /** Certificate and key; the server then accepts TLS connections only. */
  readonly tls?: TlsMaterial | undefined;
  /** Readiness of the stores, which `/readyz` reports. @default stores are not reported */
  readonly stores?: StoreReadiness;
  /** Limits of clients over all replicas. @default those of this process */
  readonly budgets?: SharedBudgets | undefined;
  /** Redis, if the gateway uses it, which `/readyz` reports. */
  readonly redis?: { readonly failure: string | undefined } | undefined;
}

/** Results of probing the stores. */
export interface StoreReadiness {
  /** Number of configured stores. */
  readonly count: number;
  /** Names of the stores that failed when they were last probed. */
  unusable(): readonly string[];
}

export interface HttpServer {
  /**
   * Starts to listen.
   * @returns the URL of the GraphQL endpoint, with the actual port; `unix:PATH` for a socket
   * @throws ListenError if an address cannot be used
   */
  listen(): Promise<string>;
  /**
   * Changes what later requests use. If `auth` is set, streams and connections with several operations end, so that no
   * caller keeps earlier permissions; clients connect again.
   */
  change(changes: {
    readonly auth?: { readonly value: HttpConfig['auth'] } | undefined;
    readonly limits?: ClientLimits | undefined;
    readonly tls?: TlsMaterial | undefined;
  }): void;
  /**
   * Announces the shutdown to load balancers: `/readyz` responds with 503, and every further request closes
   * its connection. New connections are still served. Resolves after `delayMs`, or as soon as `close` is
   * called.
   */
  announceEnd(delayMs: number): Promise<void>;
  /**
   * Stops accepting connections, waits up to `drainTimeoutMs` for requests in flight, then aborts them.
   * Resolves when all connections are closed. A second call aborts immediately.
   */
  close(): Promise<void>;
}
