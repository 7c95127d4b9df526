import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Gateway } from '../gateway/options.js';
import type { Metrics } from './metrics.js';

/** The options that the HTTP server needs; `Config` has them all. */
export type HttpConfig = Pick<
  Config,
  | 'host'
  | 'port'
  | 'corsOrigins'
  | 'publicUrl'
  | 'allowedHosts'
  | 'maxBodyBytes'
  | 'requestTimeoutMs'
  | 'receiveTimeoutMs'
  | 'idleTimeoutMs'
  | 'drainTimeoutMs'
  | 'graphiql'
  | 'auth'
  | 'compression'
  | 'trustedProxies'
  | 'maxClientRequests'
  | 'maxClientCost'
  | 'minClientBytesPerSecond'
>;

export interface HttpServerParts {
  readonly config: HttpConfig;
  readonly gateway: Pick<Gateway, 'handleOperation' | 'handleFile' | 'handlePage' | 'memory'>;
  readonly logger: Pick<Logger, 'info' | 'debug' | 'error' | 'warn'>;
  readonly metrics: Metrics;
  /** For readiness. @default nothing is said of the stores */
  readonly stores?: StoreReadiness;
}

/** Which stores could not be used when they were last looked at. */
export interface StoreReadiness {
  readonly count: number;
  /** Their names. */
  unusable(): readonly string[];
}

export interface HttpServer {
  /**
   * Starts to listen.
   * @returns the address of the GraphQL endpoint, with the port that was taken
   * @throws ListenError saying what the system refused and which option changes it
   */
  listen(): Promise<string>;
  /**
   * Tells balancers that the server is about to close: `/readyz` responds 503, and every response closes its connection.
   * New connections are still served. Resolves after `delayMs`, or as soon as `close` is called.
   */
  announceEnd(delayMs: number): Promise<void>;
  /**
   * Takes no new connections, lets requests under way end (for `drainTimeoutMs`, then cuts them off) and resolves when
   * all connections are closed. Again: does not wait any longer.
   */
  close(): Promise<void>;
}
