/** Links to files that need much memory: they are refused when they are created, or the file can be downloaded. */
import { expect, test } from 'vitest';
import { fullAccess } from '../../server/index.js';
import { execute } from '../resolvers/gateway-client.js';
import { hourlyGateway } from './hourly-gateway.js';

const MIB = 2 ** 20;
const count = 2 ** 18;

/** Requests a link to anomalies of a long axis, and follows it. @returns 'refused' or the status of the file */
async function follow(maxRequestBytes: number): Promise<'refused' | number> {
  const gateway = await hourlyGateway(count, maxRequestBytes);
  const anomaly =
    'anomaly(by: { part: { dim: "t", part: HOUR } }) { slice(select: { text: "::128" }) { href(format: CSV) } }';
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { dataset { variable(name: "v") { slice { ${anomaly} } } } } }`,
  );
  if (errors.length > 0) {
    expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'requestMemoryBytes' });
    return 'refused';
  }
  const { href } = data.store.dataset.variable.slice.anomaly.slice;
  const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
  await response.text();
  return response.status;
}

test('a link that is granted can be followed, with any memory for one request', async () => {
  const outcomes: (string | number)[] = [];
  for (let mebibytes = 8; mebibytes <= 28; mebibytes++) outcomes.push(await follow(mebibytes * MIB));
  const granted = outcomes.indexOf(200);
  expect(granted).toBeGreaterThan(0);
  expect(outcomes.slice(0, granted).every((outcome) => outcome === 'refused')).toBe(true);
  expect(outcomes.slice(granted).every((outcome) => outcome === 200)).toBe(true);
});

test('pieces of a file are reported as garbage as they are sent', async () => {
  const gateway = await hourlyGateway(count, 200 * MIB);
  const query = '{ store(name: "m") { array(path: "v") { slice { href(format: CSV) } } } }';
  const { data } = await execute(gateway, query);
  const { href } = data.store.array.slice;
  let pieces = 0;
  gateway.memory.onPassed = () => pieces++;
  const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
  await response.text();
  expect(pieces).toBeGreaterThan(5);
});
