/** The work of operations that take longer than decoding: in estimates, in limits and in the cost of a client. */
import { describe, expect, test } from 'vitest';
import { unitsOf } from '../../../server/http/token-bucket.js';
import { arrayDocument, execute, memoryGateway } from '../../resolvers/gateway-client.js';

const size = 1000;

async function read(fields: string, maxWork?: number) {
  const gateway = await memoryGateway(
    {
      'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
      'x/zarr.json': arrayDocument('float32', [size], { dimension_names: ['x'] }),
      'x/c/0': new Uint8Array(Float32Array.from({ length: size }, (_, i) => i).buffer),
      'v/zarr.json': arrayDocument('float32', [size, 4], { dimension_names: ['x', 'y'] }),
    },
    maxWork === undefined ? {} : { limits: { maxWork } },
  );
  const query = `{ gateway { limits { maxWork } } store(name: "m") { dataset { ${fields} } } }`;
  const { data, errors } = await execute(gateway, query);
  return { data: data.store.dataset, limits: data.gateway.limits, errors };
}

const variable = (fields: string): string => `variable(name: "v") { slice { ${fields} } }`;
const estimate = 'estimate { work allowed exceeded { limit needed } }';
const elements = 4 * size;

const operations: readonly (readonly [operation: string, work: number])[] = [
  ['reduce(by: MEAN)', 0],
  ['coarsen(to: [{ dim: "x", size: 10 }])', 0],
  ['rolling(dim: "x", window: 5, by: STD)', 10 * elements],
  ['rolling(dim: "x", window: 100000, by: MEDIAN)', (50 + size) * elements],
  ['interpolate(at: [{ dim: "x", values: [1.5, 2.5] }])', 13 * 8 * 2],
  ['coarsen(to: [{ dim: "x", size: 10 }], method: MEDIAN)', 50 * elements],
  ['reduce(by: QUANTILE, using: { q: [0.1, 0.9] }, over: ["x"])', 50 * elements],
];

describe('work', () => {
  test.each(operations)('%s', async (operation, work) => {
    const { data, errors } = await read(variable(`${operation} { ${estimate} }`));
    expect(errors).toEqual([]);
    const [result] = Object.values<{ estimate: unknown }>(data.variable.slice);
    expect(result?.estimate).toEqual({ work, allowed: true, exceeded: [] });
  });

  test('statistics count each quantile and pass', async () => {
    const fields = (q: string) => variable(`statistics { quantiles(q: ${q}) ${estimate} }`);
    const one = (await read(fields('[0.5]'))).data.variable.slice.statistics.estimate.work;
    const two = (await read(fields('[0.5, 0.9]'))).data.variable.slice.statistics.estimate.work;
    expect([one, two]).toEqual([6 * 2 * elements, 2 * 6 * 2 * elements]);
  });

  test('expressions count each operation', async () => {
    const { data } = await read(`compute(expression: "v * 2 + v") { ${estimate} }`);
    expect(data.compute.estimate.work).toBe(2 * elements);
  });
});

describe('maxWork', () => {
  const heavy = operations.filter(([, work]) => work > 0);

  test.each(heavy)('%s is refused before anything is read', async (operation, work) => {
    const { errors, limits } = await read(variable(`${operation} { values ${estimate} }`), work - 1);
    expect(limits.maxWork).toBe(work - 1);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxWork', needed: work });
  });

  test.each(heavy)('%s within the limit is computed', async (operation, work) => {
    expect((await read(variable(`${operation} { values }`), work)).errors).toEqual([]);
  });

  test('applies to all slices of a request together', async () => {
    const median = 'rolling(dim: "x", window: 5, by: MEDIAN) { values }';
    const { errors } = await read(variable(`a: ${median} b: ${median}`), 1.5 * (50 + 5) * elements);
    expect(errors.map(({ extensions }) => extensions['limit'])).toEqual(['maxWork']);
  });
});

test('a client pays as much for 2^20 operations as for a decoded MiB', () => {
  const nothing = { fields: 0, chunks: 0, decodedBytes: 0, reducedBytes: 0, work: 0, outputBytes: 0 };
  expect(unitsOf({ ...nothing, work: 3 * 2 ** 20 })).toBe(unitsOf({ ...nothing, decodedBytes: 3 * 2 ** 20 }));
});
