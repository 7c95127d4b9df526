/** A gateway without decoding threads processes other events between the chunks of a read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../server/index.js';
import {
  createDefaultRegistry,
  createMemoryStore,
  openHierarchy,
  type BytesToBytesCodec,
} from '../server/zarr/index.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('slow chunks are decoded in different turns of the event loop', async () => {
  // A clock that advances only with the work, so that the result does not depend on the speed of the machine.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let turn = 0;
  const turns: number[] = [];
  const slow: BytesToBytesCodec = {
    kind: 'bytes-to-bytes',
    name: 'acme.slow',
    create: () => ({
      encode: (bytes) => bytes,
      decode: (bytes) => {
        now += 5;
        turns.push(turn);
        return bytes;
      },
      encodedSize: (size) => size,
    }),
  };
  const registry = createDefaultRegistry([['acme.slow', slow]]);
  const store = createMemoryStore({ label: 'm' });
  const array = await openHierarchy(store, { registry }).createArray('/v', {
    shape: [8],
    dtype: 'int32',
    chunkShape: [1],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'acme.slow' }],
  });
  await array.select().write([1, 2, 3, 4, 5, 6, 7, 8]);
  const gateway = createGateway({
    stores: [{ name: 'm', store }],
    engine: { registry, decoding: { pool: null } },
  });
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await nextTurn();
      turn++;
    }
  })();
  const result = await gateway.execute(
    { document: '{ store(name: "m") { array(path: "v") { slice { values } } } }' },
    fullAccess,
  );
  isOver = true;
  await counting;
  expect(result.errors).toBeUndefined();
  expect(JSON.parse(JSON.stringify(result.data))).toEqual({
    store: { array: { slice: { values: [1, 2, 3, 4, 5, 6, 7, 8] } } },
  });
  expect(turns).toHaveLength(8);
  expect(new Set(turns).size).toBe(8);
});
