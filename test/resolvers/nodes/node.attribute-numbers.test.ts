/** Python distinguishes 2.0 from 2: numbers given as floats are stored and preserved as floats. */
import { expect, test } from 'vitest';
import { createMemoryStore, get, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { gatewayOf, run } from '../mutating.js';
import { fullAccess } from '../../../server/index.js';

const change =
  'mutation ($set: JSON!) { setAttributes(input: { store: "m", path: "a", set: $set }) { path } }';

async function textOf(store: KeyStore, key: string): Promise<string> {
  return new TextDecoder().decode((await get(store, key))?.bytes).replaceAll(/\s+/g, '');
}

function post(gateway: ReturnType<typeof gatewayOf>, type: string, body: string | Uint8Array<ArrayBuffer>) {
  const headers = { 'content-type': type };
  return gateway.fetch(
    new Request('http://localhost/graphql', { method: 'POST', headers, body }),
    fullAccess,
  );
}

const word = (text: string): number[] => [0x78, text.length, ...Buffer.from(text)];

test.each([
  [2, '.zattrs'],
  [3, 'zarr.json'],
])('whole floats in attributes remain floats (format %i)', async (format, key) => {
  const store = createMemoryStore({ label: 'm' });
  const gateway = gatewayOf(store);
  const input = `store: "m", path: "a", zarrFormat: ${format}, shape: [2], dtype: "float64"`;
  const { failures } = await run(gateway, `createArray(input: { ${input}, attributes: { scale: 2.0, n: 2, l: [1.0, 1] } }) { path }`); // prettier-ignore
  expect(failures).toEqual([]);
  expect(await textOf(store, `a/${key}`)).toContain('{"scale":2.0,"n":2,"l":[1.0,1]}');

  const json = `{ "query": ${JSON.stringify(change)}, "variables": { "set": { "offset": 0.0, "o": { "x": 1e3 }, "i": 7 } } }`;
  expect((await post(gateway, 'application/json', json)).status).toBe(200);
  expect(await textOf(store, `a/${key}`)).toContain('{"scale":2.0,"n":2,"l":[1.0,1],"offset":0.0,"o":{"x":1000.0},"i":7}'); // prettier-ignore

  // { query, variables: { set: { n: 3.0 (16 bits), scale: 3 } } }
  const cbor = [0xa2, ...word('query'), ...word(change), ...word('variables'), 0xa1, ...word('set'), 0xa2, ...word('n'), 0xf9, 0x42, 0x00, ...word('scale'), 0x03]; // prettier-ignore
  expect((await post(gateway, 'application/cbor', Uint8Array.from(cbor))).status).toBe(200);
  expect(await textOf(store, `a/${key}`)).toContain('"scale":3,"n":3.0,"l":[1.0,1],"offset":0.0');
});

test('resizing and consolidated metadata preserve them', async () => {
  const store = createMemoryStore({ label: 'm' });
  const document = '{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"float32","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"fill_value":1.0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}],"attributes":{"valid_range":[0.0,1.0],"big":1e300}}'; // prettier-ignore
  const encoder = new TextEncoder();
  await store.set(
    'zarr.json',
    encoder.encode('{"zarr_format":3,"node_type":"group","attributes":{"v":1.0}}'),
  );
  await store.set('a/zarr.json', encoder.encode(document));
  const hierarchy = openHierarchy(store);
  await hierarchy.resize('/a', [5]);
  const resized = await textOf(store, 'a/zarr.json');
  expect(resized).toBe(document.replace('[4]', '[5]').replace('1e300', '1e+300'));
  await hierarchy.consolidate('/');
  const consolidated = await textOf(store, 'zarr.json');
  expect(consolidated).toContain('"fill_value":1.0');
  expect(consolidated).toContain('"valid_range":[0.0,1.0]');
  expect(consolidated).toContain('"attributes":{"v":1.0}');
});
