/** Arrays without elements whose nested lists have any number of brackets: each list is charged. */
import { expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway } from '../gateway-client.js';

const longest = 2 ** 53 - 1;

const document = (shape: number[]) =>
  arrayDocument('uint8', shape, {
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map(() => 10) } },
  });

const fields = [
  'values',
  'base64 { bytes }',
  'line(width: 1) { x { values } }',
  'line(width: 1) { y { values } }',
  'line(width: 1, along: "1") { y { values } }',
  'line(width: 1, from: 9007199254740993) { x { values } }',
  'line(width: 1, along: "1", from: 10000000000000000000) { x { values } }',
  'href(format: JSON)',
  'href(format: CSV)',
  'reduce(by: MEAN) { values }',
  'reduce(by: MEDIAN, over: ["0"]) { values }',
  'reduce(by: MEDIAN, over: ["1"]) { values }',
  'slice(select: { text: "::2, ::3" }) { values }',
] as const;

test.each([[[0, longest]], [[longest, 0]], [[0, 300_000_000]], [[300_000_000, 0]]])(
  'every field of an array of shape %j ends',
  async (shape) => {
    const gateway = await memoryGateway({ 'zarr.json': document(shape) });
    for (const field of fields) {
      const { errors } = await execute(gateway, `{ store(name: "m") { array { slice { ${field} } } } }`);
      const codes = errors.map(({ extensions }) => extensions['code']);
      expect(codes, field).not.toContain('INTERNAL');
    }
  },
);

test.each([
  ['line(width: 1) { x { values } y { values } }', [0, longest]],
  ['line(width: 1, along: "1") { x { values } y { values } }', [longest, 0]],
  ['href(format: JSON)', [longest, 0]],
  ['values', [longest, 0]],
] as const)('%s of shape %j exceeds the limits', async (field, shape) => {
  const gateway = await memoryGateway({ 'zarr.json': document([...shape]) });
  const { errors } = await execute(gateway, `{ store(name: "m") { array { slice { ${field} } } } }`);
  expect(errors.map(({ extensions }) => extensions['code'])).toContain('LIMIT_EXCEEDED');
});

test('a line of few empty series is empty', async () => {
  const gateway = await memoryGateway({ 'zarr.json': document([0, 3]) });
  const query = '{ store(name: "m") { array { slice { line(width: 1) { x { values } y { values } } } } } }';
  const { data, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  const empty = [[], [], []];
  expect(data.store.array.slice.line).toEqual({ x: { values: empty }, y: { values: empty } });
});
