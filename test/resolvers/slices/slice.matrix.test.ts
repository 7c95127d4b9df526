/** Every array of the matrix, as JSON and as base64. */
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/index.js';
import { expectedJson, sizeOfLayout } from '../expected-json.js';
import { ask, folderStore } from '../gateway-client.js';
import { fixtures } from '../../setup/fixtures.js';
import { matrixCases } from '../matrix-cases.js';

const gateway = createGateway({
  stores: matrixCases.map(({ id, path }) => ({
    name: id,
    store: folderStore(id, `${fixtures}matrix/${path}`),
  })),
});

const valuesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { shape slice { shape values } } }
}`;
const bytesDocument = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { slice { base64 { data } } } }
}`;

describe('the matrix over GraphQL', () => {
  test.each(matrixCases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
    const place = { store: one.id, path: `/${one.node}` };
    const bytes = Buffer.from(one.expected ?? '', 'base64');
    const { data, errors } = await ask(gateway, valuesDocument, place);
    expect(errors).toEqual([]);
    const { shape, slice } = data.store.array;
    expect(shape).toEqual(one.shape);
    expect(slice.shape).toEqual(one.shape);
    const isDefined = (one.undefined_chunks ?? []).length === 0;
    if (isDefined) expect(slice.values).toEqual(expectedJson(bytes, one.shape, one.layout));

    const asBytes = await ask(gateway, bytesDocument, place);
    if (sizeOfLayout(one.layout) === undefined) {
      expect(asBytes.errors[0]?.extensions['code']).toBe('UNSUPPORTED');
      expect(asBytes.data.store.array.slice.base64).toBeNull();
    } else {
      const { base64 } = asBytes.data.store.array.slice;
      const isExact =
        isDefined && (!/float|complex|struct/.test(one.layout.kind) || one.features.includes('nan-payload'));
      if (isExact) expect(base64.data).toBe(one.expected);
      expect(Buffer.from(base64.data, 'base64').length).toBe(bytes.length);
    }
  });
});
