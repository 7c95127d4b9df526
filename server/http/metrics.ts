import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
  collectDefaultMetrics,
} from 'prom-client';
import type { GatewayMetrics, OperationRecord } from '../gateway/options.js';
import type { MemoryStats } from '../memory/budget.js';
import type { RedisMetrics } from '../redis/connection.js';
import type { StoreMetrics } from '../zarr/index.js';

/** One finished request, for counters and the log. */
export interface RequestRecord {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** One of the served paths, or "other". Text from clients would make the label unbounded. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly responseBytes: number;
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
  readonly operations: readonly OperationRecord[];
}

/** Prometheus metrics. */
export interface Metrics extends GatewayMetrics {
  /** Media type of the text format of /metrics. */
  readonly contentType: string;
  text(): Promise<string>;
  /** All metrics as plain data. */
  values(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
  request(record: RequestRecord): void;
  /** Receives the records of `withMetrics`. */
  readonly stores: StoreMetrics;
  /** Starts reporting the memory budget. */
  watchMemory(stats: () => MemoryStats): void;
  /** Receives the commands of Redis. */
  readonly redis: RedisMetrics;
  /** Starts reporting whether Redis is available. */
  watchRedis(isAvailable: () => boolean): void;
  /** Removes the series of a store that is no longer served. */
  forgetStore(store: string): Promise<void>;
  /** Changes the number of requests in flight. */
  inFlight(change: 1 | -1): void;
  /** Changes the number of open WebSockets. */
  webSockets(change: 1 | -1): void;
  /** Changes the number of open event streams that carry several operations. */
  eventStreams(change: 1 | -1): void;
}

/** Number of operation names with a separate label; later names count as "other". */
const MAX_OPERATION_NAMES = 100;
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Counters of one gateway, in a separate registry. All labels are bounded: routes, methods, codes and store
 * names are finite, and only the first hundred operation names are kept.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[] = []): Histogram<L> =>
    new Histogram({ name, help, labelNames, buckets: durationBuckets, registers });
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const requests = counter('zarrql_http_requests_total', 'HTTP requests by route, method and status.', [
    'route',
    'method',
    'status',
  ]);
  const durations = histogram(
    'zarrql_http_request_duration_seconds',
    'Time from the start of a request to the end of its response, by route.',
    ['route'],
  );
  const responseBytes = counter('zarrql_http_response_bytes_total', 'Bytes of response bodies by route.', [
    'route',
  ]);
  const running = gauge('zarrql_http_requests_in_flight', 'HTTP requests in flight.');
  const webSockets = gauge('zarrql_websockets_open', 'Open WebSockets.');
  const eventStreams = gauge(
    'zarrql_event_streams_open',
    'Open event streams of the single connection mode of graphql-sse.',
  );
  const operations = counter(
    'zarrql_operations_total',
    'Executed GraphQL operations by name, kind and first error code (OK if successful).',
    ['operation', 'kind', 'code'],
  );
  const operationDurations = histogram(
    'zarrql_operation_duration_seconds',
    'Execution time of GraphQL operations by kind.',
    ['kind'],
  );
  const chunks = counter('zarrql_chunks_decoded_total', 'Decoded chunks.');
  const decodedBytes = counter('zarrql_decoded_bytes_total', 'Bytes of decoded chunks.');
  const resultLookups = counter(
    'zarrql_result_cache_lookups_total',
    'Lookups in the result cache by outcome: hit, miss, or unversioned (not cacheable).',
    ['outcome'],
  );
  const answerLookups = counter(
    'zarrql_answer_lookups_total',
    'Requests by whether their response is remembered: hit, miss, or changed (stored data or rights differ).',
    ['outcome'],
  );
  const storeRequests = counter(
    'zarrql_store_requests_total',
    'Requests to stores for objects, ranges and listings, including retries, by store, kind and error code (OK if successful).',
    ['store', 'kind', 'code'],
  );
  const storeHedges = counter(
    'zarrql_store_hedged_requests_total',
    'Second requests to stores that were sent because the first were slow, by store and kind.',
    ['store', 'kind'],
  );
  const storeBytes = counter(
    'zarrql_store_bytes_total',
    'Bytes read from and written to stores, by store and kind.',
    ['store', 'kind'],
  );
  const storeDurations = histogram(
    'zarrql_store_call_duration_seconds',
    'Time of calls to stores, each of which may request many objects, by store and kind.',
    ['store', 'kind'],
  );
  const redisCommands = counter(
    'zarrql_redis_commands_total',
    'Commands of Redis by name and outcome: ok, skipped (Redis was known to be unavailable) or the failure.',
    ['command', 'outcome'],
  );
  const redisIgnored = counter(
    'zarrql_redis_ignored_total',
    'Data in Redis that were not used, because no replica can have written them, by kind.',
    ['kind'],
  );
  const redisDurations = histogram('zarrql_redis_command_duration_seconds', 'Time of commands of Redis.');
  const nameOf = createNameBound(MAX_OPERATION_NAMES);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    request({ route, method, status, durationMs, responseBytes: bytes, operations: executed }) {
      requests.inc({ route, method: methods.has(method) ? method : 'other', status: String(status) });
      durations.observe({ route }, durationMs / 1000);
      responseBytes.inc({ route }, bytes);
      for (const operation of executed) {
        const { kind, codes } = operation;
        const name = operation.name === undefined ? 'anonymous' : nameOf(operation.name);
        operations.inc({ operation: name, kind, code: codes[0] ?? 'OK' });
        operationDurations.observe({ kind }, operation.durationMs / 1000);
      }
    },
    chunksDecoded(count, bytes) {
      chunks.inc(count);
      decodedBytes.inc(bytes);
    },
    answerLookup: (outcome) => answerLookups.inc({ outcome }),
    resultLookup: (outcome) => resultLookups.inc({ outcome }),
    stores: {
      ended({ store, operation: kind, requests: count, bytes, milliseconds, failure }) {
        storeRequests.inc({ store, kind, code: failure ?? 'OK' }, count);
        if (bytes > 0) storeBytes.inc({ store, kind }, bytes);
        storeDurations.observe({ store, kind }, milliseconds / 1000);
      },
      retried({ store, operation: kind }) {
        storeRequests.inc({ store, kind, code: 'STORE_UNAVAILABLE' });
      },
      hedged: ({ store, operation: kind }) => storeHedges.inc({ store, kind }),
    },
    redis: {
      ignored: (kind) => redisIgnored.inc({ kind }),
      ended(command, outcome, milliseconds) {
        redisCommands.inc({ command, outcome });
        if (outcome !== 'skipped') redisDurations.observe(milliseconds / 1000);
      },
    },
    watchRedis(isAvailable) {
      new Gauge({
        name: 'zarrql_redis_up',
        help: 'Whether Redis is available (1) or not (0); absent without Redis.',
        registers,
        collect() {
          this.set(isAvailable() ? 1 : 0);
        },
      });
    },
    async forgetStore(store) {
      for (const { labels } of (await storeRequests.get()).values)
        if (labels.store === store) storeRequests.remove(labels);
      for (const metric of [storeHedges, storeBytes, storeDurations]) {
        const kinds = new Set((await metric.get()).values.filter(({ labels }) => labels.store === store).map(({ labels }) => labels.kind)); // prettier-ignore
        for (const kind of kinds) if (kind !== undefined) metric.remove({ store, kind });
      }
    },
    inFlight(change) {
      running.inc(change);
    },
    webSockets(change) {
      webSockets.inc(change);
    },
    eventStreams(change) {
      eventStreams.inc(change);
    },
    watchMemory: (stats) => registerMemory(stats, registers),
  };
}

/** Keeps the first `most` distinct names. Later and long names become "other". */
function createNameBound(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most || name.length > 64) return 'other';
    known.add(name);
    return name;
  };
}

/** `WS` is an operation of a WebSocket, `SSE` of an event stream that carries several. */
const methods = new Set(['WS', 'SSE', 'GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** Gauges of the memory budget. */
function registerMemory(stats: () => MemoryStats, registers: Registry[]): void {
  const gauge = (name: string, help: string, value: (stats: MemoryStats) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(stats()));
      },
    });
  };
  gauge(
    'zarrql_request_memory_limit_bytes',
    'Memory that all requests together may hold.',
    (s) => s.maxBytes,
  );
  gauge('zarrql_request_memory_held_bytes', 'Memory reserved by requests.', (s) => s.heldBytes);
  gauge('zarrql_request_memory_waiting', 'Reservations waiting for memory.', (s) => s.waiting);
  new Counter({
    name: 'zarrql_request_memory_refused_total',
    help: 'Requests refused for lack of memory.',
    registers,
    collect() {
      this.reset();
      this.inc(stats().refused);
    },
  });
}
