import { expect, test } from 'vitest';
import { createMetrics, type RequestRecord } from '../../server/http/metrics.js';

const record: RequestRecord = {
  method: 'POST',
  path: '/graphql',
  route: '/graphql',
  status: 200,
  durationMs: 5,
  responseBytes: 10,
  aborted: false,
  operation: undefined,
};

function named(name: string | undefined, codes: readonly string[] = []): RequestRecord {
  return { ...record, operation: { kind: 'query', name, durationMs: 1, codes } };
}

test('requests, operations, chunks and stores are counted', async () => {
  const metrics = createMetrics();
  metrics.request(named('GetTile'));
  metrics.request(named('GetTile', ['NOT_FOUND', 'CODEC_ERROR']));
  metrics.request(named(undefined));
  metrics.chunksDecoded(3, 300);
  metrics.stores.ended({
    store: 'sst',
    operation: 'read',
    requests: 4,
    bytes: 1000,
    milliseconds: 20,
    failure: undefined,
  });
  const text = await metrics.text();
  expect(text).toContain('zarrql_http_requests_total{route="/graphql",method="POST",status="200"} 3');
  expect(text).toContain('zarrql_operations_total{operation="GetTile",kind="query",code="OK"} 1');
  expect(text).toContain('zarrql_operations_total{operation="GetTile",kind="query",code="NOT_FOUND"} 1');
  expect(text).toContain('zarrql_operations_total{operation="anonymous",kind="query",code="OK"} 1');
  expect(text).toContain('zarrql_http_response_bytes_total{route="/graphql"} 30');
  expect(text).toContain('zarrql_chunks_decoded_total 3');
  expect(text).toContain('zarrql_decoded_bytes_total 300');
  expect(text).toContain('zarrql_store_requests_total{store="sst",kind="read",code="OK"} 4');
  expect(text).toContain('zarrql_store_bytes_total{store="sst",kind="read"} 1000');
  expect(text).toContain('process_cpu_seconds_total');
});

// Invented operation names must not increase the memory use of the server.
test('names and methods from clients create a bounded number of series', async () => {
  const metrics = createMetrics();
  for (let i = 0; i < 1000; i++) metrics.request({ ...named(`Q${i}`), method: `M${i}` });
  const text = await metrics.text();
  const operations = text.match(/^zarrql_operations_total\{/gm) ?? [];
  expect(operations).toHaveLength(101);
  expect(text).toContain('zarrql_operations_total{operation="other",kind="query",code="OK"} 900');
  expect(text.match(/^zarrql_http_requests_total\{/gm)).toHaveLength(1);
});

test('two gateways in one process count separately', async () => {
  const [a, b] = [createMetrics(), createMetrics()];
  a.chunksDecoded(1, 1);
  expect(await b.text()).toContain('zarrql_chunks_decoded_total 0');
});
