/** Statistics over GraphQL: values, passes, estimates, the result cache, and invalid arguments. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createGateway, type Gateway, type GatewayConfig } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute } from '../gateway-client.js';

let store: KeyStore;
let decoded: number;

const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));

beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  decoded = 0;
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  const halves = { chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } } };
  await put('f/zarr.json', arrayDocument('float64', [4], halves));
  await store.set('f/c/0', Buffer.from(Float64Array.of(1, NaN).buffer));
  await store.set('f/c/1', Buffer.from(Float64Array.of(4, 2).buffer));
  await put('i/zarr.json', arrayDocument('int64', [2]));
  await store.set('i/c/0', Buffer.from(BigInt64Array.of(2n ** 62n, 2n ** 62n).buffer));
  await put('w/zarr.json', arrayDocument('float64', [2]));
  await store.set('w/c/0', Buffer.from(Float64Array.of(Infinity, -1).buffer));
  await put('e/zarr.json', arrayDocument('float32', [0]));
  await put('c/zarr.json', { ...Object(arrayDocument('complex64', [1])), fill_value: [1, 2] });
});

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  const metrics = {
    chunksDecoded: (chunks: number) => {
      decoded += chunks;
    },
  };
  return createGateway({ stores: [{ name: 'm', store }], metrics, ...config });
}

async function statistics(inner: string, path = 'f', gateway: Gateway = gatewayOf()) {
  const result = await execute(
    gateway,
    `{ store(name: "m") { array(path: "${path}") { slice { statistics { ${inner} } } } } }`,
  );
  return { statistics: result.data?.store?.array?.slice?.statistics, errors: result.errors };
}

const plain = 'count missing min max sum mean std';

describe('statistics', () => {
  test('of floats, all in one pass', async () => {
    const inner = `${plain} histogram(bins: 2, range: { min: 0, max: 3 }) { edges counts below above }`;
    const { statistics: found, errors } = await statistics(inner);
    expect(errors).toEqual([]);
    expect(found).toEqual({
      count: 3,
      missing: 1,
      min: 1,
      max: 4,
      sum: 7,
      mean: 7 / 3,
      std: expect.closeTo(Math.sqrt(14 / 9), 12),
      histogram: { edges: [0, 1.5, 3], counts: ['1', '1'], below: 0, above: 1 },
    });
    expect(decoded).toBe(2);
  });

  test('of quantiles: one list for each alias', async () => {
    const { statistics: found, errors } = await statistics(
      'quantiles range: quantiles(q: [1, 0]) none: quantiles(q: [])',
    );
    expect(errors).toEqual([]);
    expect(found).toEqual({
      quantiles: [expect.closeTo(1.04, 12), 2, expect.closeTo(3.92, 12)],
      range: [4, 1],
      none: [],
    });
  });

  test.each([
    ['i', plain, { count: 2, missing: 0, min: '4611686018427387904', max: '4611686018427387904', sum: '9223372036854775808', mean: 2 ** 62, std: 0 }],
    ['w', plain, { count: 2, missing: 0, min: -1, max: 'Infinity', sum: 'Infinity', mean: 'Infinity', std: 'NaN' }],
    ['e', plain, { count: 0, missing: 0, min: null, max: null, sum: 0, mean: null, std: null }],
    ['e', 'quantiles(q: [0.5])', { quantiles: [null] }],
    ['c', 'sum mean', { sum: [1, 2], mean: [1, 2] }],
  ])('of %s: %s', async (path, inner, expected) => {
    expect(await statistics(inner, path)).toEqual({ statistics: expected, errors: [] });
  }); // prettier-ignore

  test('a statistic that the data type does not support fails alone', async () => {
    const { statistics: found, errors } = await statistics('count std sum', 'c');
    expect(found).toEqual({ count: 1, std: null, sum: [1, 2] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNSUPPORTED' } }]);
    expect(errors[0]?.path?.at(-1)).toBe('std');
  });

  test('an estimate reads nothing, and includes the passes', async () => {
    const one = await statistics('estimate { chunks decodedBytes reducedBytes allowed }');
    expect(one.statistics.estimate).toEqual({
      chunks: 2,
      decodedBytes: 0,
      reducedBytes: 32,
      allowed: true,
    });
    expect(decoded).toBe(0);
    const { statistics: found } = await statistics('estimate { reducedBytes } histogram(bins: 1) { counts }');
    expect(found).toEqual({ estimate: { reducedBytes: 64 }, histogram: { counts: ['3'] } });
  });

  test('a second request reads nothing until a chunk changes', async () => {
    const gateway = gatewayOf();
    const first = await statistics(`${plain} quantiles`, 'f', gateway);
    const before = decoded;
    expect(await statistics(`std mean quantiles ${plain}`, 'f', gateway)).toEqual(first);
    expect(decoded).toBe(before);
    await store.set('f/c/1', Buffer.from(Float64Array.of(5, 2).buffer));
    expect((await statistics(plain, 'f', gateway)).statistics.max).toBe(5);
  });

  test('are computed even if the values do not allow a histogram', async () => {
    await store.set('f/c/0', Buffer.from(Float64Array.of(Infinity, 1).buffer));
    const gateway = gatewayOf();
    for (let time = 0; time < 2; time++) {
      const { statistics: found, errors } = await statistics(
        'count histogram(bins: 3) { counts }',
        'f',
        gateway,
      );
      expect(found).toEqual({ count: expect.anything(), histogram: null });
      expect(errors.map(({ path }) => path?.at(-1))).toEqual(['histogram']);
    }
  });

  test('of histograms are limited by the bins in total: fields beyond the limit fail alone', async () => {
    const aliases = Array.from({ length: 40 }, (_, i) => `h${i}: histogram(bins: 65536) { below }`);
    const { statistics: found, errors } = await statistics(`count ${aliases.join(' ')}`, 'f', gatewayOf());
    expect(found).toMatchObject({
      count: expect.anything(),
      h0: { below: expect.anything() },
      h1: expect.anything(),
      h2: null,
    });
    expect(errors).toHaveLength(38);
    expect(errors[0]?.message).toContain('bins in total');
  });

  test('are charged with every pass, before reading', async () => {
    const gateway = gatewayOf({ limits: { maxReducedBytes: 63 } });
    const { statistics: found, errors } = await statistics('min histogram(bins: 4) { counts }', 'f', gateway);
    expect(found).toEqual({ min: null, histogram: null });
    for (const { extensions } of errors)
      expect(extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxReducedBytes', needed: 64 });
    expect(decoded).toBe(0);
    expect((await statistics('min', 'f', gateway)).statistics.min).toBe(1);
  });
});

test.each([
  'quantiles(q: [1.5])',
  'quantiles(q: [-0.5])',
  `quantiles(q: [${Array.from({ length: 200 }, () => 0.5).join()}])`,
  'histogram(bins: 0) { counts }',
  'histogram(bins: 65537) { counts }',
  'histogram(range: { min: 2, max: 1 }) { counts }',
  'histogram(range: { min: "a", max: 1 }) { counts }',
  'histogram(range: { min: [], max: {} }) { counts }',
])('%.50s is invalid, and other statistics are returned', async (field) => {
  const { statistics: found, errors } = await statistics(`wrong: ${field} count`);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
  expect(errors[0]?.path?.at(-1)).toBe('wrong');
  expect(found).toEqual({ wrong: null, count: 3 });
});
