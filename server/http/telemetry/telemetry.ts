/**
 * Traces and metrics for OpenTelemetry. The spans come from the hooks for metrics; without the variables of OpenTelemetry,
 * none of this is loaded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JobTracer, OperationRecord } from '../../gateway/options.js';
import type { StoreCall } from '../../zarr/index.js';
import type { Metrics } from '../metrics.js';
import { type FinishedSpan, metricBody, sendOtlp, traceBody } from './export.js';
import type { TelemetrySettings } from './settings.js';
import { parseTraceParent, printTraceParent, type TraceParent } from './trace-context.js';

/** The span of a request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the request: spans of what it does belong to it. */
  run<T>(body: () => T): T;
  /** Adds a part of the request that ends now. @param startMs from `performance.now()` */
  part(name: string, startMs: number, attributes?: FinishedSpan['attributes']): void;
  end(name: string, attributes: FinishedSpan['attributes'], hasFailed: boolean): void;
}

export interface Telemetry {
  /** The same metrics, whose hooks also record spans. */
  readonly metrics: Metrics;
  /** Spans of jobs. */
  readonly tracer: JobTracer;
  begin(incoming: IncomingMessage): RequestSpan;
  /** Sends what is left. Never rejects. */
  close(): Promise<void>;
}

interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Parts of one request that are recorded; a request may call stores many thousands of times. */
  left: number;
}

/** Maximum number of parts of a request, and of a task of a job. */
const MAX_PARTS = 200;
const MAX_TASK_PARTS = 20;
const MAX_BATCH = 512;

export function createTelemetry(
  settings: TelemetrySettings,
  metrics: Metrics,
  warn: (fields: object, problem: string) => void,
): Telemetry {
  const current = new AsyncLocalStorage<Trace>();
  const processStartMs = performance.timeOrigin;
  let queue: FinishedSpan[] = [];
  let dropped = 0;
  let hasFailed = false;
  let sending: Promise<void> = Promise.resolve();

  function add(span: FinishedSpan): void {
    if (queue.length >= settings.maxQueuedSpans) dropped++;
    else queue.push(span);
  }

  function part(
    name: string,
    startMs: number,
    attributes: FinishedSpan['attributes'],
    failed = false,
    trace = current.getStore(),
  ): void {
    if (trace === undefined || !trace.isSampled || trace.left <= 0) return;
    trace.left -= 1;
    const { traceId, spanId: parentId } = trace;
    const [start, end] = [processStartMs + startMs, processStartMs + performance.now()];
    add({
      traceId,
      spanId: newId(8),
      parentId,
      name,
      isServer: false,
      startMs: start,
      endMs: end,
      attributes,
      hasFailed: failed,
    });
  }

  async function attempt(send: () => Promise<void>): Promise<void> {
    try {
      await send();
      hasFailed = false;
    } catch (error) {
      // Once per outage.
      if (!hasFailed) warn({ err: error }, 'sending to the collector of OpenTelemetry failed');
      hasFailed = true;
    }
  }

  async function flushSpans(): Promise<void> {
    const { traces } = settings;
    if (dropped > 0) warn({ spans: dropped }, 'spans were dropped because the collector is too slow');
    dropped = 0;
    const spans = queue;
    queue = [];
    for (let at = 0; traces !== undefined && at < spans.length; at += MAX_BATCH)
      await attempt(() =>
        sendOtlp(traces, traceBody(spans.slice(at, at + MAX_BATCH), settings.resource), settings),
      );
  }

  async function flushMetrics(): Promise<void> {
    const { metrics: url } = settings;
    if (url === undefined) return;
    const values = await metrics.values();
    await attempt(() =>
      sendOtlp(url, metricBody(values, settings.resource, processStartMs, Date.now()), settings),
    );
  }

  /** One export at a time: a slow collector is not sent more. */
  function then(flush: () => Promise<void>): void {
    sending = sending
      .then(flush)
      .catch((error: unknown) => warn({ err: error }, 'sending to the collector of OpenTelemetry failed'));
  }

  const timers = [
    setInterval(() => {
      if (queue.length > 0) then(flushSpans);
    }, settings.spanDelayMs).unref(),
    setInterval(() => then(flushMetrics), settings.metricIntervalMs).unref(),
  ];

  const traced: Metrics = {
    ...metrics,
    operation(record) {
      metrics.operation?.(record);
      const now = performance.now();
      const began = now - record.durationMs;
      part('plan', began - (record.planMs ?? 0), operationAttributes(record));
      part(record.kind, began, operationAttributes(record), record.codes.length > 0);
    },
    readEnded(read) {
      metrics.readEnded?.(read);
      part(
        read.isReduced ? 'reduce' : 'decode',
        read.startMs,
        { 'zarrql.chunks': read.chunks, 'zarrql.decoded_bytes': read.bytes },
        read.hasFailed,
      );
    },
    stores: {
      ...metrics.stores,
      ended(call) {
        metrics.stores.ended(call);
        part(
          `store ${call.operation}`,
          performance.now() - call.milliseconds,
          storeAttributes(call),
          call.failure !== undefined,
        );
      },
    },
  };

  function traceBelow(parent: TraceParent | undefined, left: number): Trace {
    const isSampled =
      settings.traces !== undefined &&
      (parent !== undefined && settings.isParentBased ? parent.isSampled : Math.random() < settings.ratio);
    return { traceId: parent?.traceId ?? newId(16), spanId: newId(8), isSampled, left };
  }

  const tracer: JobTracer = {
    current: () => printTraceParent(current.getStore()),
    async span(name, context, attributes, body) {
      const parent = parseTraceParent(context);
      const trace = traceBelow(parent, MAX_TASK_PARTS);
      const startMs = processStartMs + performance.now();
      let failed = true;
      try {
        const result = await current.run(trace, () => body(printTraceParent(trace)));
        failed = false;
        return result;
      } finally {
        const { traceId, spanId, isSampled } = trace;
        const endMs = processStartMs + performance.now();
        const span = { traceId, spanId, parentId: parent?.spanId, name, isServer: false, startMs, endMs };
        if (isSampled) add({ ...span, attributes, hasFailed: failed });
      }
    },
  };

  return {
    metrics: traced,
    tracer,
    begin({ headers }) {
      const parent = parseTraceParent(headers.traceparent);
      const trace = traceBelow(parent, MAX_PARTS);
      const { isSampled } = trace;
      const startMs = processStartMs + performance.now();
      return {
        traceId: trace.traceId,
        run: (body) => current.run(trace, body),
        part: (name, from, attributes = {}) => part(name, from, attributes, false, trace),
        end(name, attributes, failed) {
          if (!isSampled) return;
          const { traceId, spanId } = trace;
          const endMs = processStartMs + performance.now();
          add({
            traceId,
            spanId,
            parentId: parent?.spanId,
            name,
            isServer: true,
            startMs,
            endMs,
            attributes,
            hasFailed: failed,
          });
        },
      };
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      then(flushSpans);
      then(flushMetrics);
      await sending;
    },
  };
}

function operationAttributes({ kind, name, cost, codes }: OperationRecord): FinishedSpan['attributes'] {
  return {
    'graphql.operation.type': kind,
    'graphql.operation.name': name?.slice(0, 100),
    'error.type': codes[0],
    'zarrql.chunks': cost?.chunks,
    'zarrql.decoded_bytes': cost?.decodedBytes,
    'zarrql.reduced_bytes': cost?.reducedBytes,
    'zarrql.output_bytes': cost?.outputBytes,
    'zarrql.work': cost?.work,
  };
}

function storeAttributes({ store, requests, bytes, failure }: StoreCall): FinishedSpan['attributes'] {
  return { 'zarrql.store': store, 'zarrql.requests': requests, 'zarrql.bytes': bytes, 'error.type': failure };
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
