/** Number of requests for opening arrays on a web server. */
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore, openHierarchy, openStoreFromUrl } from '../../../server/zarr/index.js';
import { startFileServer } from '../store/file-server.js';

async function serve(zarrFormat: 2 | 3, isConsolidated: boolean) {
  const memory = createMemoryStore({ label: 'm' });
  const made = openHierarchy(memory);
  await made.createGroup('/', { zarrFormat });
  for (const path of ['/g/a', '/g/b']) await made.createArray(path, { shape: [3], dtype: 'int8' });
  if (isConsolidated) await made.consolidate('/');
  const contents: Record<string, Uint8Array> = {};
  for await (const { key } of memory.walk(''))
    await memory.getMany([{ key }], (_, answer) => {
      if (typeof answer === 'object') contents[key] = answer.bytes;
    });
  const server = await startFileServer(contents);
  onTestFinished(() => server.close());
  const hierarchy = openHierarchy(openStoreFromUrl('web', server.url));
  const requestsOf = async (path: string): Promise<number> => {
    server.log.length = 0;
    await hierarchy.node(path);
    return server.log.length;
  };
  return { server, hierarchy, requestsOf };
}

test.each([
  [3, false, { first: 5, next: 1, root: 1 }],
  [3, true, { first: 5, next: 1, root: 1 }],
  [2, false, { first: 5, next: 4, root: 5 }],
  [2, true, { first: 5, next: 4, root: 5 }],
] as const)('format %i, consolidated: %s', async (format, isConsolidated, expected) => {
  const { requestsOf } = await serve(format, isConsolidated);
  const first = await requestsOf('/g/a');
  const next = await requestsOf('/g/b');
  const root = await requestsOf('/');
  expect({ first, next, root }).toEqual(expected);
  expect(await requestsOf('/g/a')).toBe(0);
});

test('a store with several formats is read correctly', async () => {
  const { server, hierarchy } = await serve(2, false);
  const v3 = Buffer.from(
    JSON.stringify({
      ...{ zarr_format: 3, node_type: 'array', shape: [7], data_type: 'int8', fill_value: 0 },
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [7] } },
      ...{ chunk_key_encoding: { name: 'default' }, codecs: ['bytes'] },
    }),
  );
  server.contents = { ...server.contents, 'n/zarr.json': v3, 'g/b/zarr.json': v3 };
  expect((await hierarchy.array('/g/a')).shape).toEqual([3]);
  expect((await hierarchy.array('/n')).shape).toEqual([7]);
  expect((await hierarchy.group('/')).meta.zarrFormat).toBe(2);
  expect((await hierarchy.array('/g/b')).shape).toEqual([7]); // format 3 takes precedence if both exist
  expect(await hierarchy.node('/none')).toBeUndefined();
});
