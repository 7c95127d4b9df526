/** Arrays whose chunks have different lengths. */
import { expect, test } from 'vitest';
import { execute } from '../gateway-client.js';
import { codeOf, gatewayOf, run } from '../mutating.js';

const create = (lengths: string, more = '') =>
  `createArray(input: {store: "m", path: "/x", shape: [10, 6], dtype: "int16", chunkLengths: ${lengths}, ${more}}) { array { path } }`;

test('are created, described, written and read by chunk', async () => {
  const gateway = gatewayOf();
  expect((await run(gateway, create('[[4, [1, 3], 9], 4]'))).failures).toEqual([]);
  const write = (select: string, values: string) =>
    run(
      gateway,
      `writeSlice(input: {store: "m", path: "/x", select: ${select}, values: ${values}}) { chunksWritten }`,
    );
  const { made } = await write(
    '{dims: [{slice: {start: 3, stop: 6}}, {slice: {}}]}',
    '[[1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2], [3, 3, 3, 3, 3, 3]]',
  );
  expect(made).toEqual({ chunksWritten: 6 });
  const query = `{ store(name: "m") { array(path: "/x") {
    chunkShape dimensions { size chunkSize chunkCount chunkLengths }
    chunk(index: [4, 1]) { key exists }
    slice(select: {dims: [{chunk: 1}, {chunk: 0}]}) { values estimate { chunks decodedBytes } }
    last: slice(select: {dims: [{chunk: -1}, {index: 0}]}) { shape } } } }`;
  const { data, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  expect(data.store.array).toEqual({
    chunkShape: [9, 4],
    dimensions: [
      { size: 10, chunkSize: 9, chunkCount: 5, chunkLengths: [4, [1, 3], 9] },
      { size: 6, chunkSize: 4, chunkCount: 2, chunkLengths: null },
    ],
    chunk: { key: 'x/c/4/1', exists: false },
    slice: { values: [[2, 2, 2, 2]], estimate: { chunks: 1, decodedBytes: 8 } },
    last: { shape: [3] },
  });
});

test.each([
  ['no list of lengths', '[["4", 6], 6]', ''],
  ['a list of three numbers', '[[[4, 1, 1], 6], 6]', ''],
  ['too few elements', '[[4, 5], 6]', ''],
  ['a chunk shape too', '[[4, 6], 6]', 'chunkShape: [4, 6]'],
  ['another format', '[[4, 6], 6]', 'zarrFormat: 2'],
])('with %s are refused', async (_, lengths, more) => {
  expect(await codeOf(gatewayOf(), create(lengths, more))).toBe('BAD_INPUT');
});
