import { expect, test } from 'vitest';
import {
  type Block,
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  parseSelection,
} from '../../../server/zarr/index.js';
import { arrayDocument } from '../../resolvers/gateway-client.js';

async function open(more: Record<string, unknown> = {}) {
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', Buffer.from(JSON.stringify(arrayDocument('int16', [2, 3], more))));
  await store.set('c/0/0', Buffer.from(Int16Array.of(1, 2, 3, 4, 5, 6).buffer));
  const array = await openHierarchy(store, { chunkCache: createChunkCache(2 ** 20) }).array('/');
  const read = (text = '...', readOnly = true) => array.select(parseSelection(text)).read({ readOnly });
  return { store, read };
}

function bytesOf(block: Block): Uint8Array {
  return 'bytes' in block ? block.bytes : new Uint8Array(0);
}

const values = (block: Block): number[] => [...new Int16Array(bytesOf(block).slice().buffer)];

test('read-only consumers share the memory of a decoded chunk', async () => {
  const { read } = await open();
  await read();
  const [first, second] = [await read(), await read()];
  expect(values(first)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(bytesOf(second).buffer).toBe(bytesOf(first).buffer);
});

test('all others have separate memory', async () => {
  const { read } = await open();
  await read();
  const [shared, own] = [await read(), await read('...', false)];
  bytesOf(own).fill(0);
  expect(values(shared)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(values(await read())).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a changed chunk is read again', async () => {
  const { store, read } = await open();
  await read();
  await store.set('c/0/0', Buffer.from(Int16Array.of(6, 5, 4, 3, 2, 1).buffer));
  expect(values(await read())).toEqual([6, 5, 4, 3, 2, 1]);
  await store.delete(['c/0/0']);
  expect(values(await read())).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a part of a chunk, or its elements in another order, is not a whole chunk', async () => {
  const { read } = await open();
  await read();
  expect(values(await read('1'))).toEqual([4, 5, 6]);
  expect(values(await read('::-1'))).toEqual([4, 5, 6, 1, 2, 3]);
  expect(values(await read('..., ::-1'))).toEqual([3, 2, 1, 6, 5, 4]);
  const transposed = await open({
    codecs: [
      { name: 'transpose', configuration: { order: [1, 0] } },
      { name: 'bytes', configuration: { endian: 'little' } },
    ],
  });
  for (let i = 0; i < 3; i++) expect(values(await transposed.read())).toEqual([1, 3, 5, 2, 4, 6]);
});
