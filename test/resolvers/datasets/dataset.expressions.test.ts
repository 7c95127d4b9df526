/**
 * `Dataset.compute`: composition with other operations, links and validators, rights, limits and invalid expressions.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { fullAccess, type Gateway, type GatewayConfig } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute } from '../gateway-client.js';
import { countingGateway, floats, grid, type Seen } from '../slices/grid-store.js';

let store: KeyStore;
let seen: Seen;

const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));

/** u and v by time, y, x in chunks of different shapes; a coordinate y; packed integers; dates; a name with a space. */
beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  seen = { decoded: 0, outcomes: [] };
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  const names = { dimension_names: ['time', 'y', 'x'] };
  await put('u/zarr.json', arrayDocument('float32', [2, 2, 2], { ...grid([1, 2, 2]), ...names }));
  await store.set('u/c/0/0/0', floats(3, 6, 9, NaN));
  await store.set('u/c/1/0/0', floats(0, 1, 5, 8));
  await put('v/zarr.json', arrayDocument('float32', [2, 2, 2], { ...grid([2, 2, 2]), ...names }));
  await store.set('v/c/0/0/0', floats(4, 8, 12, 1, 0, 0, 12, 6));
  await put('y/zarr.json', arrayDocument('float32', [2], { dimension_names: ['y'] }));
  await store.set('y/c/0', floats(-45, 45));
  const attributes = { scale_factor: 0.5, add_offset: 1, _FillValue: -1 };
  await put('packed/zarr.json', arrayDocument('int16', [2], { dimension_names: ['x'], attributes }));
  await store.set('packed/c/0', Buffer.from(Int16Array.of(-1, 8).buffer));
  await put('day/zarr.json', arrayDocument('int16', [2], { dimension_names: ['x'], attributes: { units: 'days since 2000-01-01' } }));
  await put('air temp/zarr.json', arrayDocument('float32', [2], { dimension_names: ['x'] }));
  await store.set('air temp/c/0', floats(273, 300));
}); // prettier-ignore

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return countingGateway(store, seen, config);
}

const speed = 'sqrt(u**2 + v**2)';

async function compute(expression: string, fields: string, gateway = gatewayOf(), cut = '') {
  const dataset = (inner: string) => (cut === '' ? inner : `select(named: ${cut}) { ${inner} }`);
  const inner = dataset(`compute(expression: ${JSON.stringify(expression)}) { ${fields} }`);
  const { data, errors } = await execute(gateway, `{ store(name: "m") { dataset { ${inner} } } }`);
  const found = data?.store?.dataset;
  return { slice: cut === '' ? found?.compute : found?.select?.compute, errors };
}

describe('a computed slice', () => {
  test('has a shape, data type, dimensions and estimate before anything is read', async () => {
    const { slice, errors } = await compute(
      speed,
      'shape dtype { name } dimensions { name start step } estimate { chunks decodedBytes outputBytes allowed }',
    );
    expect(errors).toEqual([]);
    expect(slice).toEqual({
      shape: [2, 2, 2],
      dtype: { name: 'float32' },
      dimensions: ['time', 'y', 'x'].map((name) => ({ name, start: 0, step: 1 })),
      // The chunks of both inputs, and the result.
      estimate: { chunks: 3, decodedBytes: 96, outputBytes: 32, allowed: true },
    });
    expect(seen.decoded).toBe(0);
  });

  test('has values, coordinates and the operations of any slice', async () => {
    const { slice, errors } = await compute(
      speed,
      `values coordinates { name values }
      slice(select: { text: "1, ::-1, 0" }) { values coordinates { name values } slice(select: { text: "0" }) { values } }
      points: slice(select: { points: [[0, 0, 1], [1, 1, 0]] }) { values }
      labels: slice(select: { named: [{ dim: "y", by: { at: { value: 45 } } }] }) { values }
      mean: reduce(by: MEAN, over: ["time"]) { values coordinates { name values } estimate { decodedBytes reducedBytes } }
      coarse: coarsen(to: [{ dim: "x", size: 1 }], method: MAX) { values }
      statistics { count missing min max }
      line: slice(select: { text: "0, 0" }) { line(width: 10) { x { values } y { values } } }`,
    );
    expect(errors).toEqual([]);
    const values = [[[5, 10], [15, 'NaN']], [[0, 1], [13, 10]]]; // prettier-ignore
    expect(slice).toMatchObject({
      values,
      coordinates: [{ name: 'y', values: [-45, 45] }],
      slice: { values: [13, 0], coordinates: [{ name: 'y', values: [45, -45] }], slice: { values: 13 } },
      points: { values: [10, 13] },
      labels: { values: [values[0]?.[1], values[1]?.[1]] },
      mean: {
        values: [[2.5, 5.5], [14, 10]],
        coordinates: [{ name: 'y', values: [-45, 45] }],
        estimate: { decodedBytes: 0, reducedBytes: 96 },
      },
      coarse: { values: [[[10], [15]], [[1], [13]]] },
      statistics: { count: 7, missing: 1, min: 0, max: 15 },
      line: { line: { x: { values: ['0', '1'] }, y: { values: [5, 10] } } },
    }); // prettier-ignore
  });

  test('reads each chunk once, even if a variable occurs several times', async () => {
    await compute('u * u + v - u', 'values', gatewayOf({ resultCacheBytes: 0 }));
    expect(seen.decoded).toBe(3);
  });

  test('aligns variables by dimension names, decodes them, and applies the selection of the dataset', async () => {
    const { slice, errors } = await compute(
      'packed + y * `air temp`',
      'values dimensions { name } dtype { name }',
    );
    expect(errors).toEqual([]);
    expect(slice).toEqual({
      values: [['NaN', 'NaN'], [-13500 + 5, 13505]],
      dimensions: [{ name: 'x' }, { name: 'y' }],
      dtype: { name: 'float64' },
    }); // prettier-ignore
    const part = await compute('u + y', 'values', gatewayOf(), '[{ dim: "time", by: { index: 0 } }, { dim: "y", by: { at: { value: 45 } } }]'); // prettier-ignore
    expect(part).toEqual({ slice: { values: [54, 'NaN'] }, errors: [] });
  });

  test('can be requested in the list of Query.slices', async () => {
    const request = {
      store: 'm',
      compute: { expression: speed },
      steps: [{ reduce: { by: 'MAX', over: ['time'] } }],
    };
    const query = 'query ($r: [SliceRequest!]!) { slices(requests: $r) { values coordinates { name } } }';
    const { data, errors } = await execute(gatewayOf(), query, { r: [request] });
    expect(errors).toEqual([]);
    expect(data.slices).toEqual([{ values: [[5, 10], [15, 10]], coordinates: [{ name: 'y' }] }]); // prettier-ignore
    const both = await execute(gatewayOf(), query, { r: [{ ...request, path: 'u' }] });
    expect(both.errors).toMatchObject([
      { path: ['slices', 0], extensions: { code: 'BAD_INPUT' }, message: expect.stringContaining('"u"') },
    ]);
    const absent = { ...request, compute: { path: 'nowhere', expression: speed } };
    const { errors: unknown } = await execute(gatewayOf(), query, { r: [absent] });
    expect(unknown).toMatchObject([{ extensions: { code: 'NOT_FOUND', path: '/nowhere' } }]);
  });
});

describe('results of expressions', () => {
  test('stay in the result cache until a chunk of an input changes', async () => {
    const gateway = gatewayOf();
    const max = async () => (await compute(speed, 'reduce(by: MAX) { values }', gateway)).slice.reduce.values;
    expect([await max(), await max()]).toEqual([15, 15]);
    expect(seen.outcomes).toEqual(['miss', 'hit']);
    await store.set('v/c/0/0/0', floats(4, 8, 40, 1, 0, 0, 12, 6));
    expect(await max()).toBe(41);
    const other = await compute('sqrt(u**2 + v**2) + 1', 'reduce(by: MAX) { values }', gateway);
    expect(other.slice.reduce.values).toBe(42);
  });

  test('have links whose validators depend on all inputs and on their decoding', async () => {
    const gateway = gatewayOf();
    const { slice } = await compute(
      'packed + u',
      'reduce(by: MAX, over: ["time"]) { href(format: JSON) }',
      gateway,
    );
    const get = async () =>
      gateway.fetch(new Request(new URL(slice.reduce.href, 'http://localhost/graphql')), fullAccess);
    const first = await get();
    expect(await first.text()).toMatch(/NaN.*NaN.*11.*13/s);
    const tags = [first.headers.get('etag')];
    await store.set('u/c/0/0/0', floats(3, 100, 9, NaN));
    const second = await get();
    expect(await second.text()).toContain('105');
    tags.push(second.headers.get('etag'));
    const attributes = { scale_factor: 1, add_offset: 1, _FillValue: -1 };
    await put('packed/zarr.json', arrayDocument('int16', [2], { dimension_names: ['x'], attributes }));
    const third = await get();
    expect(await third.text()).toContain('109');
    tags.push(third.headers.get('etag'));
    expect(new Set(tags).size).toBe(3);
  });
});

describe('rights', () => {
  const without = (...hidden: string[]) => ({
    ...fullAccess,
    mayRead: (_: string, path: string) => !hidden.includes(path),
    mayEnter: (_: string, path: string) => !hidden.includes(path),
  });
  const post = async (gateway: Gateway, rights: typeof fullAccess) => {
    const query = `{ store(name: "m") { dataset { compute(expression: "${speed}") { shape values href } } } }`;
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    return (await gateway.fetch(request, rights)).text();
  };

  test('a caller without permission for one input gets an error that does not reveal its name', async () => {
    const gateway = gatewayOf();
    expect(await post(gateway, without())).toContain('[[5,10]');
    const result = await post(gateway, without('/v'));
    expect(result).toContain('column 13: the dataset has no variable');
    expect(result).not.toContain('shape');
  });
});

describe('limits and errors', () => {
  test('both inputs and the result are charged before anything is read', async () => {
    const limits = { maxDecodedBytes: 95 };
    const { slice, errors } = await compute(speed, 'values', gatewayOf({ limits }));
    expect([slice.values, errors[0]?.extensions['code'], seen.decoded]).toEqual([null, 'LIMIT_EXCEEDED', 0]);
    const some = await compute(speed, 'values', gatewayOf({ limits: { maxDecodedBytes: 96 } }));
    expect(some.errors).toEqual([]);
  });

  test('a large product of small vectors does not circumvent the limits', async () => {
    await put('a/zarr.json', arrayDocument('float32', [100_000], { dimension_names: ['a'] }));
    await put('b/zarr.json', arrayDocument('float32', [100_000], { dimension_names: ['b'] }));
    const { errors } = await compute('a * b', 'reduce(by: SUM) { values }');
    expect(errors[0]?.extensions['code']).toBe('LIMIT_EXCEEDED');
  });

  test.each([
    ['u +', 'BAD_INPUT', 'column 4: expected a number, a name, a function or "(", found the end'],
    ['u + w', 'BAD_INPUT', 'column 5: the dataset has no variable "w"'],
    ['day - day', 'UNSUPPORTED', 'column 1: "day" has the type numpy.datetime64'],
    ['1 + 2', 'BAD_INPUT', 'contains no variable'],
  ])('%s is rejected', async (expression, code, message) => {
    const { slice, errors } = await compute(expression, 'shape');
    expect(slice).toBeNull();
    expect(errors[0]?.extensions['code']).toBe(code);
    expect(errors[0]?.message).toContain(message);
  });
});
