/** Values in responses to custom documents. */
import { afterAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import type { AnyNDArray } from '../../../client/index.js';
import { folderStore } from '../in-process.js';
import { createGateway } from '../../../server/gateway.js';
import { arraysOfTypes, matrixFolder } from '../../conformance/matrix.js';
import { join } from 'node:path';
import { fullAccess } from '../../../server/index.js';

const gateway = createGateway({
  stores: arraysOfTypes.map(({ id, path }) => folderStore(id, join(matrixFolder, path))),
});
afterAll(() => gateway.close());

const document = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { slice { dtype { name kind numpy itemSize fields { name shape dtype { name kind numpy itemSize } } } values size } bare: slice { values } } }
}`;

interface FakeResponse {
  readonly store: { readonly array: { readonly slice: { values: AnyNDArray; size: number }; readonly bare: { values: AnyNDArray } } };
} // prettier-ignore

const flat = arraysOfTypes.filter(({ layout }) => layout.kind !== 'struct');

describe.each([
  [
    'CBOR',
    createClient({ fetch: async (url, init) => gateway.fetch(new gateway.Request(url, init), fullAccess) }),
  ],
  ['in the process', createClient({ gateway: gateway.as(fullAccess) })],
])('%s', (_form, client) => {
  test('values equal those of the slice if its data type is selected, and are returned without it', async () => {
    for (const { id, node } of flat) {
      const expected = await client.store(id).array(node).slice();
      const { store } = await client.request<FakeResponse, Readonly<Record<string, string>>>(document, {
        store: id,
        path: node,
      });
      const { values, size } = store.array.slice;
      expect(`${id} ${values.dtype}`).toBe(`${id} ${expected.dtype}`);
      expect([id, values.data]).toEqual([id, expected.data]);
      expect(Number(size)).toBe(expected.size);
      expect(JSON.stringify(store.array.bare.values).length).toBeGreaterThan(0);
    }
  });
});
