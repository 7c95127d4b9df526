/** Groups of a long coordinate in one chunk: they work within the memory budget, or the error says what to do. */
import { expect, test } from 'vitest';
import { execute } from '../resolvers/gateway-client.js';
import { hourlyGateway } from './hourly-gateway.js';

const MIB = 2 ** 20;
const count = 2 ** 20;

async function groupDates(maxRequestBytes: number) {
  const gateway = await hourlyGateway(count, maxRequestBytes);
  const grouped = 'group(by: { part: { dim: "t", part: MONTH } }, reduce: COUNT) { values }';
  return execute(
    gateway,
    `{ store(name: "m") { dataset { variable(name: "v") { slice { ${grouped} } } } } }`,
  );
}

test('groups of more dates than a request may hold are refused with the amount of memory and advice', async () => {
  const { errors } = await groupDates(16 * MIB);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'requestMemoryBytes' });
  expect(errors[0]?.message).toMatch(
    /use a coordinate with fewer labels or smaller chunks, or raise that option/,
  );
});

test('the same groups are computed with twice the amount that the error names', async () => {
  const { errors: refused } = await groupDates(16 * MIB);
  const { data, errors } = await groupDates(2 * Number(refused[0]?.extensions['needed']));
  expect(errors).toEqual([]);
  expect(data.store.dataset.variable.slice.group.values).toEqual([String(count)]);
});
