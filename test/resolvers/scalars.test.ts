import { expect, test } from 'vitest';
import { countValue, exactSize, positionNumber } from '../../server/resolvers/scalars/big-int.js';
import { sizeOfJson } from '../../server/resolvers/scalars/json-size.js';
import { array, group, realGateway } from '../http/real-gateway.js';

const attributes = { text: 'x'.repeat(100_000), list: [1, 2, { deep: true }] };
const stores = {
  m: { 'zarr.json': group(attributes), 'a/zarr.json': array([4], attributes) },
};

async function execute(fields: string, maxOutputBytes = 1_000_000) {
  const { query } = await realGateway(stores, {
    gateway: { limits: { maxOutputBytes } },
    compression: false,
  });
  const aliased = Array.from({ length: 400 }, (_, i) => fields.replace('FIELD', `f${i}`)).join(' ');
  return query(`{ store(name: "m") { array(path: "a") { ${aliased} } } }`);
}

test.each(['FIELD: attributes', 'FIELD: metadata', 'FIELD: attribute(name: "text")'])(
  '400 aliases of %s are rejected if they exceed maxOutputBytes',
  async (fields) => {
    const { json, text } = await execute(fields);
    expect(json.errors[0].extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxOutputBytes' });
    expect(text.length).toBeLessThan(1_500_000);
  },
);

test('attributes and values count together towards maxOutputBytes', async () => {
  const { query } = await realGateway(stores, { gateway: { limits: { maxOutputBytes: 100_040 } } });
  const result = await query('{ store(name: "m") { array(path: "a") { slice { values } attributes } } }');
  expect(result.json.errors[0].extensions).toMatchObject({ limit: 'maxOutputBytes' });
  const alone = await query(
    '{ store(name: "m") { array(path: "a") { slice { values } attribute(name: "list") } } }',
  );
  expect(alone.json.errors).toBeUndefined();
});

test.each<[unknown, number]>([
  [{}, 2],
  [[1, 2], 18],
  [{ a: 'é' }, 11],
  [null, 8],
  ['text', 7],
])('the size of %j is counted as %i bytes', (value, expected) => {
  expect(sizeOfJson(value)).toBe(expected);
});

test('a large value is measured once, time-sliced', async () => {
  const value = Array.from({ length: 100_000 }, (_, i) => ({ i }));
  const counting = sizeOfJson(value);
  expect(counting).toBeInstanceOf(Promise);
  expect(sizeOfJson(value)).toBe(counting);
  expect(await counting).toBe(2 + 100_000 * (2 + 4 + 8));
  expect(sizeOfJson(value)).toBe(1_400_002);
});

const most = 2n ** 63n - 1n;

test.each([
  [0, 0],
  [2 ** 53 - 1, 2 ** 53 - 1],
  [2 ** 53, 2n ** 53n],
  [2 ** 63, most],
  [Infinity, most],
])('countOf(%d) is %d', (count, expected) => {
  expect(countValue(count)).toBe(expected);
});

test('exactSize is exact up to 2 ** 63 - 1', () => {
  expect(exactSize([])).toBe(1);
  expect(exactSize([3, 4], 8)).toBe(96);
  expect(exactSize([94906267, 94906267])).toBe(94906267n * 94906267n);
  expect(exactSize([2 ** 40, 0, 2 ** 40])).toBe(0);
  expect(exactSize([2 ** 40, 2 ** 40])).toBe(most);
});

test('positionOf keeps out-of-range positions out of range', () => {
  expect(positionNumber(-3)).toBe(-3);
  expect(positionNumber(2n ** 60n)).toBe(Number.MAX_SAFE_INTEGER);
  expect(positionNumber(-(2n ** 60n))).toBe(Number.MIN_SAFE_INTEGER);
});
