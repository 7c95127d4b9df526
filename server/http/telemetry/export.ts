/** Sends traces and metrics to a collector: OTLP over HTTP, as JSON (opentelemetry.io/docs/specs/otlp). */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { TelemetrySettings } from './settings.js';

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly isServer: boolean;
  /** In ms since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly hasFailed: boolean;
}

/** @throws Error if the collector does not accept the data in time */
export async function sendOtlp(
  url: string,
  body: object,
  { headers, timeoutMs }: Pick<TelemetrySettings, 'headers' | 'timeoutMs'>,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the collector responded with ${response.status}`);
}

export function traceBody(spans: readonly FinishedSpan[], resource: TelemetrySettings['resource']): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'zarrql' }, spans: spans.map(spanJson) }],
      },
    ],
  };
}

function spanJson(span: FinishedSpan): object {
  const { traceId, spanId, parentId, name, isServer, startMs, endMs, attributes, hasFailed } = span;
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: isServer ? 2 : 1,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(attributes),
    status: hasFailed ? { code: 2 } : {},
  };
}

/** @param startMs start of the process */
export function metricBody(
  metrics: readonly MetricObjectWithValues<MetricValue<string>>[],
  resource: TelemetrySettings['resource'],
  startMs: number,
  nowMs: number,
): object {
  const times = { startTimeUnixNano: nanos(startMs), timeUnixNano: nanos(nowMs) };
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [
          { scope: { name: 'zarrql' }, metrics: metrics.flatMap((metric) => metricJson(metric, times)) },
        ],
      },
    ],
  };
}

/** Types as `getMetricsAsJSON` of prom-client names them. */
function metricJson(
  { name, help, type, values }: MetricObjectWithValues<MetricValue<string>>,
  times: object,
): object[] {
  if (values.length === 0) return [];
  const kind = String(type);
  if (kind === 'histogram') {
    const dataPoints = histogramPoints(values, times);
    return [{ name, description: help, histogram: { aggregationTemporality: 2, dataPoints } }];
  }
  const dataPoints = values.map(({ value, labels }) => ({
    ...times,
    asDouble: value,
    attributes: attributesOf(labels),
  }));
  if (kind === 'counter')
    return [{ name, description: help, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } }];
  return [{ name, description: help, gauge: { dataPoints } }];
}

interface HistogramPoint {
  readonly labels: MetricValue<string>['labels'];
  readonly bounds: number[];
  readonly cumulative: number[];
  sum: number;
  count: number;
}

/** Prometheus counts all values up to a bound; OTLP those between two bounds. */
function histogramPoints(
  values: readonly (MetricValue<string> & { metricName?: string })[],
  times: object,
): object[] {
  const points = new Map<string, HistogramPoint>();
  for (const { value, labels, metricName = '' } of values) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    const point = points.get(key) ?? { labels: others, bounds: [], cumulative: [], sum: 0, count: 0 };
    points.set(key, point);
    if (metricName.endsWith('_sum')) point.sum = value;
    else if (metricName.endsWith('_count')) point.count = value;
    else if (le !== undefined && le !== '+Inf') {
      point.bounds.push(Number(le));
      point.cumulative.push(value);
    }
  }
  return [...points.values()].map(({ labels, bounds, cumulative, sum, count }) => ({
    ...times,
    attributes: attributesOf(labels),
    sum,
    count: String(count),
    explicitBounds: bounds,
    bucketCounts: [...cumulative, count].map((until, i, all) => String(until - (all[i - 1] ?? 0))),
  }));
}

function attributesOf(values: Readonly<Record<string, string | number | boolean | undefined>>): object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
