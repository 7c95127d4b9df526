/** The work of operations that take longer than decoding: in estimates, in limits and in the cost of a client. */
import { describe, expect, test } from 'vitest';
import { workOf } from '../../../server/zarr/index.js';
import { unitsOf } from '../../../server/http/rate-limits.js';
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
  ['rolling(dim: "x", window: 5, by: STD)', 40 * elements + 100 * size],
  ['rolling(dim: "y", window: 3, by: STD)', 40 * elements + 100 * elements],
  ['rolling(dim: "x", window: 100000, by: MEDIAN)', (150 + size / 10) * elements + 100 * size],
  ['interpolate(at: [{ dim: "x", values: [1.5, 2.5] }])', 50 * 8 * 2],
  ['coarsen(to: [{ dim: "x", size: 10 }], method: MEDIAN)', 50 * elements],
  ['reduce(by: MODE, over: ["x"])', 50 * elements + 4 * 4000],
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
    const { errors } = await read(variable(`a: ${median} b: ${median}`), 1.5 * (151 * elements + 100 * size));
    expect(errors.map(({ extensions }) => extensions['limit'])).toEqual(['maxWork']);
  });
});

test('a client pays as much for 2^20 operations as for a decoded MiB', () => {
  const nothing = { fields: 0, chunks: 0, decodedBytes: 0, reducedBytes: 0, work: 0, outputBytes: 0 };
  expect(unitsOf({ ...nothing, work: 3 * 2 ** 20 })).toBe(unitsOf({ ...nothing, decodedBytes: 3 * 2 ** 20 }));
});

describe('the default of maxWork', () => {
  const values = 36_000_000;
  const refused: readonly (readonly [string, readonly number[], string])[] = [
    [
      '128 quantiles of 36 million values',
      [values],
      `statistics { quantiles(q: [${Array.from({ length: 128 }, (_, i) => i / 127)}]) }`,
    ],
    [
      'medians of a billion values',
      [2 ** 20, 2 ** 10],
      'coarsen(to: [{ dim: "1", size: 4 }], method: MEDIAN) { reduce(by: SUM) { values } }',
    ],
  ];
  test.each(refused)('refuses %s before anything is read', async (_, shape, fields) => {
    const gateway = await memoryGateway(
      { 'zarr.json': arrayDocument('float32', [...shape]) },
      { limits: { maxDecodedBytes: 2 ** 40 } },
    );
    const { errors } = await execute(gateway, `{ store(name: "m") { array { slice { ${fields} } } } }`);
    expect(errors.map(({ extensions }) => extensions['limit'])).toEqual(['maxWork']);
  });

  test('refuses interpolation onto 100 positions along each of four dimensions', async () => {
    const gateway = await memoryGateway({ 'zarr.json': arrayDocument('float32', [1]) }, {});
    const { data } = await execute(gateway, '{ gateway { limits { maxWork } } }');
    expect(100 ** 4 * 16 * workOf.neighbour).toBeGreaterThan(Number(data.gateway.limits.maxWork));
  });

  test.each([
    [
      'means of 30 hours in a series of 100 million values',
      [100_000, 1000],
      'rolling(dim: "0", window: 30, by: MEAN)',
    ],
    [
      'medians of 100 million values',
      [100_000, 1000],
      'coarsen(to: [{ dim: "0", size: 100 }], method: MEDIAN)',
    ],
  ])('allows %s', async (_, shape, operation) => {
    const gateway = await memoryGateway({ 'zarr.json': arrayDocument('float32', shape) }, {});
    const query = `{ store(name: "m") { array { slice { ${operation} { estimate { exceeded { limit } } } } } } }`;
    const { data } = await execute(gateway, query);
    const [result] = Object.values<{ estimate: { exceeded: { limit: string }[] } }>(data.store.array.slice);
    expect(result?.estimate.exceeded.map(({ limit }) => limit)).not.toContain('maxWork');
  });
});
