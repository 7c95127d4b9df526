import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { GatewayMetrics, OperationRecord } from '../gateway/options.js';
import type { MemoryStats } from '../memory/budget.js';
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
  request(record: RequestRecord): void;
  /** Receives the records of `withMetrics`. */
  readonly stores: StoreMetrics;
  /** Starts reporting the memory budget. */
  watchMemory(stats: () => MemoryStats): void;
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
  const requests = new Counter({
    name: 'zarrql_http_requests_total',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'zarrql_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response, by route.',
    labelNames: ['route'] as const,
    buckets: durationBuckets,
    registers,
  });
  const responseBytes = new Counter({
    name: 'zarrql_http_response_bytes_total',
    help: 'Bytes of response bodies by route.',
    labelNames: ['route'] as const,
    registers,
  });
  const running = new Gauge({
    name: 'zarrql_http_requests_in_flight',
    help: 'HTTP requests in flight.',
    registers,
  });
  const webSockets = new Gauge({
    name: 'zarrql_websockets_open',
    help: 'Open WebSockets.',
    registers,
  });
  const eventStreams = new Gauge({
    name: 'zarrql_event_streams_open',
    help: 'Open event streams of the single connection mode of graphql-sse.',
    registers,
  });
  const operations = new Counter({
    name: 'zarrql_operations_total',
    help: 'Executed GraphQL operations by name, kind and first error code (OK if successful).',
    labelNames: ['operation', 'kind', 'code'] as const,
    registers,
  });
  const operationDurations = new Histogram({
    name: 'zarrql_operation_duration_seconds',
    help: 'Execution time of GraphQL operations by kind.',
    labelNames: ['kind'] as const,
    buckets: durationBuckets,
    registers,
  });
  const chunks = new Counter({
    name: 'zarrql_chunks_decoded_total',
    help: 'Decoded chunks.',
    registers,
  });
  const decodedBytes = new Counter({
    name: 'zarrql_decoded_bytes_total',
    help: 'Bytes of decoded chunks.',
    registers,
  });
  const resultLookups = new Counter({
    name: 'zarrql_result_cache_lookups_total',
    help: 'Lookups in the result cache by outcome: hit, miss, or unversioned (not cacheable).',
    labelNames: ['outcome'] as const,
    registers,
  });
  const storeRequests = new Counter({
    name: 'zarrql_store_requests_total',
    help: 'Requests to stores for objects, ranges and listings, including retries, by store, kind and error code (OK if successful).',
    labelNames: ['store', 'kind', 'code'] as const,
    registers,
  });
  const storeHedges = new Counter({
    name: 'zarrql_store_hedged_requests_total',
    help: 'Second requests to stores that were sent because the first were slow, by store and kind.',
    labelNames: ['store', 'kind'] as const,
    registers,
  });
  const storeBytes = new Counter({
    name: 'zarrql_store_bytes_total',
    help: 'Bytes read from and written to stores, by store and kind.',
    labelNames: ['store', 'kind'] as const,
    registers,
  });
  const storeDurations = new Histogram({
    name: 'zarrql_store_call_duration_seconds',
    help: 'Time of calls to stores, each of which may request many objects, by store and kind.',
    labelNames: ['store', 'kind'] as const,
    buckets: durationBuckets,
    registers,
  });
  const nameOf = createNameBound(MAX_OPERATION_NAMES);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
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
