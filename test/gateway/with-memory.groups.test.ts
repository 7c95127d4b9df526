/** Groups of a long coordinate in one chunk: they work within the memory budget, or the error says what to do. */
import { expect, test } from 'vitest';
import { MemoryBudget } from '../../server/memory/budget.js';
import { arrayDocument, execute, memoryGateway } from '../resolvers/gateway-client.js';

const MIB = 2 ** 20;
const count = 2 ** 20;

async function groupDates(maxRequestBytes: number) {
  const memory = new MemoryBudget({ maxBytes: 2 * maxRequestBytes, maxRequestBytes, waitMs: 50 });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [count] } };
  const along = { chunk_grid, dimension_names: ['t'] };
  const gateway = await memoryGateway(
    {
      'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
      't/zarr.json': arrayDocument('int32', [count], {
        ...along,
        attributes: { units: 'hours since 2000-01-01' },
      }),
      'v/zarr.json': arrayDocument('uint8', [count], along),
    },
    { memory },
  );
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
