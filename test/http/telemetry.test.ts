/** Traces, metrics and slow requests of the real server, with a collector that keeps what it receives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { serveStores, startProgram } from '../cli/running.js';
import { startRedis } from '../setup/redis.js';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
}

interface Metric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly { readonly asDouble: number }[] };
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: string;
      readonly bucketCounts: readonly string[];
      readonly explicitBounds: readonly number[];
    }[];
  };
}

async function collector(status = 200) {
  const spans: Span[] = [];
  const metrics = new Map<string, Metric>();
  const headers: unknown[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (part: Buffer) => (text += part.toString()));
    incoming.on('end', () => {
      headers.push(incoming.headers['x-key']);
      const body = JSON.parse(text);
      if (incoming.url === '/v1/traces') spans.push(...body.resourceSpans[0].scopeSpans[0].spans);
      if (incoming.url === '/v1/metrics')
        for (const metric of body.resourceMetrics[0].scopeMetrics[0].metrics)
          metrics.set(metric.name, metric);
      outgoing.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { spans, metrics, headers, url };
}

const store = ['--store', 'coads=examples/data/coads.zarr'];
const quick = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '100' };
const mean =
  '{ store(name: "coads") { array(path: "SST") { slice { reduce(by: MEAN, over: ["TIME"]) { values } } } } }';

async function send(address: string, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
}

test('a request is a trace of its plan, store calls, reduction and response, below the span of the caller', async () => {
  const { spans, metrics, headers, url } = await collector();
  const { address, child, ended } = await serveStores(store, {
    ...quick,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const client = createClient({
    url: address,
    headers: () => ({ traceparent: `00-${traceId}-b7ad6b7169203331-01` }),
  });
  await client.query(mean);
  await expect
    .poll(() => spans.filter((span) => span.name === 'POST /graphql').length, { timeout: 10_000 })
    .toBe(1);
  const request = spans.find(({ name }) => name === 'POST /graphql');
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(new Set(parts.map(({ name }) => name))).toEqual(
    new Set(['plan', 'query', 'store read', 'reduce', 'encode']),
  );
  for (const { traceId: own, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(own).toBe(traceId);
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  const query = parts.find(({ name }) => name === 'query');
  expect(query?.attributes).toContainEqual({
    key: 'graphql.operation.type',
    value: { stringValue: 'query' },
  });
  expect(
    query?.attributes.some(({ key, value }) => key === 'zarrql.reduced_bytes' && Number(value.intValue) > 0),
  ).toBe(true);
  await expect.poll(() => metrics.get('zarrql_operations_total')?.sum?.dataPoints[0]?.asDouble).toBe(1);
  const [point] = metrics.get('zarrql_operation_duration_seconds')?.histogram?.dataPoints ?? [];
  expect(point?.count).toBe('1');
  expect(point?.bucketCounts.length).toBe((point?.explicitBounds.length ?? 0) + 1);
  expect(point?.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(1);
  expect(new Set(headers)).toEqual(new Set(['a b']));
  expect(await (await fetch(new URL('/metrics', address))).text()).toContain('zarrql_operations_total');
  child.kill('SIGTERM');
  const { stderr } = await ended;
  expect(stderr).toContain(`"trace":"${traceId}"`);
  expect(spans.some(({ name }) => name.includes('/metrics'))).toBe(false);
});

test.each([
  ['empty', ''],
  ['long', 'x'.repeat(8000)],
  ['no trace', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  ['no span', '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
  ['invalid version', 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['upper case', '00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01'],
  ['long later version', `01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-${'a'.repeat(4000)}`],
])('a malformed traceparent starts a new trace: %s', async (_, traceparent) => {
  const { spans, url } = await collector();
  const { address } = await serveStores(store, {
    ...quick,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
  });
  expect((await send(address, '{ gateway { version } }', { traceparent })).status).toBe(200);
  await expect.poll(() => spans.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(spans[0]?.traceId).not.toMatch(/^0af7651916cd43dd8448eb211c80319c$|^0{32}$/);
  expect(spans.every(({ parentSpanId }) => parentSpanId !== 'b7ad6b7169203331')).toBe(true);
});

test('the caller, the sampler and the exporter decide whether spans are sent', async () => {
  const { spans, metrics, url } = await collector();
  const { address, child, ended } = await serveStores(store, {
    ...quick,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_METRICS_EXPORTER: 'none',
  });
  await send(address, mean);
  await send(address, mean, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
  await send(address, mean, { traceparent: '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01' });
  child.kill('SIGTERM');
  await ended;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319d']));
  expect(metrics.size).toBe(0);
});

test('a collector that fails delays nothing, and is reported once', async () => {
  const { spans, url } = await collector(503);
  const { address, child, ended } = await serveStores(store, { ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: url });
  for (let i = 0; i < 5; i++) {
    expect((await send(address, '{ gateway { version } }')).status).toBe(200);
    const before = spans.length;
    await expect.poll(() => spans.length, { timeout: 10_000 }).toBeGreaterThan(before);
  }
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr.match(/sending to the collector/g)).toHaveLength(1);
});

test('slow requests are logged with their plan and cost', async () => {
  const { address, child, ended } = await serveStores([
    ...store,
    '--slow-request-ms',
    '1',
    '--log-level',
    'warn',
  ]);
  await send(address, mean);
  child.kill('SIGTERM');
  const { stderr } = await ended;
  const line = JSON.parse(/^.*"slow request".*$/m.exec(stderr)?.[0] ?? '{}');
  expect(line).toMatchObject({
    level: 'warn',
    cost: { reducedBytes: expect.any(Number), chunks: expect.any(Number) },
    phases: { planMs: expect.any(Number), executeMs: expect.any(Number), otherMs: expect.any(Number) },
  });
  expect(line.cost.reducedBytes).toBeGreaterThan(700_000);
  expect(line.trace).toBeUndefined();
});

test('a job and its tasks in another process belong to the trace of the request that started it', async ({
  skip,
}) => {
  const redis = await startRedis({ own: true });
  if ('missing' in redis) return skip(redis.missing);
  onTestFinished(() => redis.stop());
  const { spans, url } = await collector();
  const env = { ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: 'none' };
  const shared = [...store, '--redis', redis.url];
  const { address } = await serveStores([...shared, '--jobs', '--no-job-tasks'], env);
  await startProgram(['worker', ...shared], env);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const start = `mutation { startJob(input: { kind: STATISTICS, source: { store: "coads", path: "/SST" } }) { job { id } } }`;
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  expect((await send(address, start, { traceparent })).status).toBe(200);
  const named = (name: string): Span[] => spans.filter((span) => span.name === name);
  await expect.poll(() => named('job statistics').length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => named('job task').length).toBe(1);
  const [[request], [job], [task]] = [named('POST /graphql'), named('job statistics'), named('job task')];
  expect(job).toMatchObject({ traceId, parentSpanId: request?.spanId });
  expect(task).toMatchObject({ traceId, parentSpanId: job?.spanId });
  expect(task?.attributes).toContainEqual({ key: 'zarrql.task', value: { intValue: '0' } });
  await expect.poll(() => named('reduce')).toMatchObject([{ traceId, parentSpanId: task?.spanId }]);
});
