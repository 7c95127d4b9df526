/** The standard variables of OpenTelemetry that the gateway uses. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface TelemetrySettings {
  /** URL for traces; undefined if none are sent. */
  readonly traces: string | undefined;
  readonly metrics: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Time between two exports of spans, and of metrics. */
  readonly spanDelayMs: number;
  readonly metricIntervalMs: number;
  /** Spans that wait for an export; further ones are dropped and counted. */
  readonly maxQueuedSpans: number;
  /** Share of the traces without a parent that are sampled. */
  readonly ratio: number;
  /** Whether the decision of the caller counts. */
  readonly isParentBased: boolean;
}

const DEFAULT_ENDPOINT = 'http://localhost:4318';

/**
 * @returns undefined unless a variable requests traces or metrics
 * @param warn receives settings that are not supported
 */
export function telemetrySettings(
  env: Environment,
  version: string,
  warn: (problem: string) => void,
): TelemetrySettings | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const traces = endpointOf(env, 'TRACES', 'v1/traces', warn);
  const metrics = endpointOf(env, 'METRICS', 'v1/metrics', warn);
  if (traces === undefined && metrics === undefined) return undefined;
  const sampler = env['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on';
  const kind = sampler.replace(/^parentbased_/, '');
  if (!['always_on', 'always_off', 'traceidratio'].includes(kind))
    warn(`OTEL_TRACES_SAMPLER=${sampler} is not supported; all traces are sampled`);
  return {
    traces,
    metrics,
    headers: pairsOf(env['OTEL_EXPORTER_OTLP_HEADERS']),
    resource: {
      'service.name': env['OTEL_SERVICE_NAME'] ?? 'zarrql',
      'service.version': version,
      'process.pid': String(process.pid),
      ...pairsOf(env['OTEL_RESOURCE_ATTRIBUTES']),
    },
    timeoutMs: numberOf(env['OTEL_EXPORTER_OTLP_TIMEOUT'], 10_000),
    spanDelayMs: numberOf(env['OTEL_BSP_SCHEDULE_DELAY'], 5000),
    metricIntervalMs: numberOf(env['OTEL_METRIC_EXPORT_INTERVAL'], 60_000),
    maxQueuedSpans: numberOf(env['OTEL_BSP_MAX_QUEUE_SIZE'], 2048),
    ratio: kind === 'always_off' ? 0 : kind === 'traceidratio' ? ratioOf(env['OTEL_TRACES_SAMPLER_ARG']) : 1,
    isParentBased: sampler.startsWith('parentbased_'),
  };
}

/** Signals are exported if an endpoint is set, or the exporter is "otlp". */
function endpointOf(
  env: Environment,
  signal: 'TRACES' | 'METRICS',
  path: string,
  warn: (problem: string) => void,
): string | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? '';
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const exporter = env[`OTEL_${signal}_EXPORTER`] ?? '';
  if (exporter === 'none' || (exporter === '' && own === '' && common === '')) return undefined;
  if (exporter !== '' && exporter !== 'otlp') {
    warn(`OTEL_${signal}_EXPORTER=${exporter} is not supported; use otlp or none`);
    return undefined;
  }
  const protocol = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? '';
  if (protocol === 'grpc') warn('OTLP is sent over HTTP as JSON, not by grpc; use the port for HTTP, 4318');
  const url = own === '' ? `${(common === '' ? DEFAULT_ENDPOINT : common).replace(/\/+$/, '')}/${path}` : own;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  warn(`the endpoint of OpenTelemetry for ${signal.toLowerCase()} is not an http or https URL`);
  return undefined;
}

/** `name=value,name=value`, with escapes as in URLs. */
function pairsOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at <= 0 ? [] : [[pair.slice(0, at).trim(), unescaped(pair.slice(at + 1).trim())]];
    }),
  );
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function numberOf(text: string | undefined, standard: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : standard;
}

function ratioOf(text = '1'): number {
  const ratio = Number(text);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
