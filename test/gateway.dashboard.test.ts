/** A dashboard query with many variables and slices decodes no chunk twice. */
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../server/index.js';
import { createChunkCache, createMemoryStore, openHierarchy } from '../server/zarr/index.js';
import { execute } from './resolvers/gateway-client.js';

const variables = Array.from({ length: 20 }, (_, i) => `v${i}`);
/** 2 x 2 chunks. */
const shape = [8, 8];

async function filledStore() {
  const store = createMemoryStore({ label: 'board' });
  const hierarchy = openHierarchy(store);
  for (const [i, name] of variables.entries()) {
    const array = await hierarchy.createArray(`/${name}`, { shape, dtype: 'float32', chunkShape: [4, 4] });
    await array.select({ kind: 'all' }).write({ shape, data: new Float32Array(64).fill(i + 1) });
  }
  return store;
}

test('20 variables and 3 slices: each chunk is decoded once, and an invalid variable does not affect the others', async () => {
  const store = await filledStore();
  await store.set('v7/c/0/0', Buffer.from('no zstd'));
  let decoded = 0;
  const gateway = createGateway({
    stores: [{ name: 'board', store }],
    engine: { chunkCache: createChunkCache(2 ** 20) },
    metrics: {
      chunksDecoded: (chunks) => {
        decoded += chunks;
      },
    },
  });
  onTestFinished(() => gateway.close());
  const corner = (name: string) =>
    `${name}: array(path: "${name}") { shape attributes slice(select: {text: "0, 0"}) { values } }`;
  const slices = ['0:2', '2:6', '::2'].map(
    (text, i) => `s${i}: array(path: "v0") { slice(select: {text: "${text}"}) { values } }`,
  );
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "board") { ${variables.map(corner).join(' ')} ${slices.join(' ')} } }`,
  );
  expect(errors).toMatchObject([
    {
      path: ['store', 'v7', 'slice', 'values'],
      extensions: { code: 'CODEC_ERROR', store: 'board', path: '/v7' },
    },
  ]);
  expect(data).toMatchObject({
    store: {
      v0: { shape, slice: { values: 1 } },
      v7: { shape, slice: { values: null } },
      v19: { shape, slice: { values: 20 } },
      s1: { slice: { values: Array.from({ length: 4 }, () => new Array(8).fill(1)) } },
    },
  });
  // One chunk of each variable, including the invalid one, and the other three chunks of v0.
  expect(decoded).toBe(20 + 3);
});
