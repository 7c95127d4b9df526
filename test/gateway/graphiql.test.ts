/** The GraphiQL page: examples for existing stores, without script injection. */
import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createGateway, type Gateway, fullAccess, noAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, memoryGateway, sampleGateway } from '../resolvers/gateway-client.js';

async function pageOf(gateway: Gateway, address = 'http://localhost/graphql'): Promise<string> {
  const response = await gateway.fetch(
    new Request(address, { headers: { accept: 'text/html' } }),
    fullAccess,
  );
  return response.text();
}

/** The initial options of the page. */
function optionsOf(page: string): {
  defaultQuery?: string;
  isHeadersEditorEnabled?: boolean;
  shouldPersistHeaders?: boolean;
} {
  const [, json] =
    /\(Object\.assign\(JSON, nativeJson\), (.*?)\)\s*,?\s*\);\s*<\/script>/.exec(
      page.slice(page.lastIndexOf('(Object.assign(JSON, nativeJson)')),
    ) ?? [];
  return JSON.parse(json ?? 'null');
}

function operationsIn(document: string): string[] {
  return [...document.matchAll(/^(?:query|mutation) (\w+)/gm)].map(([, name]) => name ?? '');
}

async function resultsOf(gateway: Gateway, document: string): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const operationName of operationsIn(document))
    results[operationName] = await gateway.execute({ document, operationName }, fullAccess);
  return JSON.parse(JSON.stringify(results));
}

describe('examples', () => {
  test('are valid operations on existing arrays', async () => {
    const gateway = sampleGateway({ graphiql: {} });
    const { defaultQuery = '', ...options } = optionsOf(await pageOf(gateway));
    expect(validate(gateway.schema, parse(defaultQuery))).toEqual([]);
    expect(defaultQuery).toContain('"Authorization": "Bearer ');
    expect(options).toMatchObject({ isHeadersEditorEnabled: true, shouldPersistHeaders: false });
    const results = await resultsOf(gateway, defaultQuery);
    expect(Object.keys(results)).toEqual(['Decoded', 'Stores', 'Array', 'Values', 'ByName', 'Dataset']);
    expect(JSON.stringify(results['Decoded'])).toContain('"name":"COADSX","units":"degrees_east"');
    expect(JSON.stringify(results['Decoded'])).not.toContain('e+33');
    expect(results).toMatchObject({
      Array: { data: { store: { array: { shape: [12, 90, 180] } } } },
      Values: { data: { store: { array: { slice: { shape: [4, 4] } } } } },
      ByName: {
        data: { store: { array: { slice: { dimensions: [{ name: 'COADSX', size: 8, start: 86 }] } } } },
      },
    });
    expect(JSON.stringify(results)).not.toContain('"errors"');
  });

  test('of the schema of a store read the middle of a variable, because maps have no values at their edges', async () => {
    const gateway = sampleGateway({ graphiql: {} });
    const { defaultQuery = '' } = optionsOf(await pageOf(gateway, 'http://localhost/graphql/coads'));
    expect(defaultQuery).toContain(
      '(TIME: { index: 6 }, COADSY: { slice: { start: 43, stop: 47 } }, COADSX: { slice: { start: 88, stop: 92 } })',
    );
    const url = 'http://localhost/graphql/coads';
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: defaultQuery });
    const response = await gateway.fetch(new Request(url, { method: 'POST', headers, body }), fullAccess);
    const text = await response.text();
    expect(text).toContain('"shape":[4,4]');
    expect(text).not.toContain('null');
  });

  test.each([
    ['nothing', {}, ['Stores']],
    ['an array at the root', { 'zarr.json': arrayDocument('int8', [5]) }, ['Stores', 'Array', 'Values']],
    [
      'an array without dimensions',
      { 'zarr.json': arrayDocument('int8', []) },
      ['Stores', 'Array', 'Values'],
    ],
    [
      'an unreadable node',
      { 'a/zarr.json': arrayDocument('nope', [5]), 'b/zarr.json': { zarr_format: 9 } },
      ['Stores'],
    ],
    [
      'a list and a plane',
      {
        'a/zarr.json': arrayDocument('int8', [5]),
        'b/zarr.json': arrayDocument('int8', [5, 1], { dimension_names: ['y "x"', 'x'] }),
      },
      ['Stores', 'Array', 'Values', 'ByName'],
    ],
  ])('of %s', async (_, objects, operations) => {
    const gateway = await memoryGateway(objects, { graphiql: {} });
    const { defaultQuery = '' } = optionsOf(await pageOf(gateway));
    const results = await resultsOf(gateway, defaultQuery);
    expect(Object.keys(results)).toEqual(operations);
    if (operations.length > 1) expect(JSON.stringify(results)).not.toContain('"errors"');
  });

  test('include writable stores and exclude unreadable ones', async () => {
    const store = createMemoryStore({ label: 'm' });
    const gateway = createGateway({ stores: [{ name: 'm', store, writable: true }], graphiql: {} });
    const { defaultQuery = '' } = optionsOf(await pageOf(gateway));
    const results = await resultsOf(gateway, defaultQuery);
    expect(results).toMatchObject({
      Write: {
        data: {
          writeSlice: {
            array: {
              slice: {
                values: [
                  [1, 2.5, 'NaN'],
                  [0, 0, 0],
                ],
              },
            },
          },
        },
      },
    });
    expect(defaultQuery).toContain('subscription Changes');
    const response = await gateway.fetch(
      new Request('http://localhost/graphql', { headers: { accept: 'text/html' } }),
      noAccess,
    );
    expect(optionsOf(await response.text()).defaultQuery).not.toContain('"m"');
  });

  test('a store that fails or does not respond in time has no examples', async () => {
    const store = createMemoryStore({ label: 'm' });
    const failing: KeyStore = { ...store, getMany: () => Promise.reject(new Error('down')) };
    const hanging: KeyStore = {
      ...store,
      getMany: (_, __, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new DOMException('late', 'AbortError')));
        }),
    };
    for (const broken of [failing, hanging]) {
      const gateway = createGateway({ stores: [{ name: 'm', store: broken }], graphiql: {} });
      const { defaultQuery = '' } = optionsOf(await pageOf(gateway));
      expect(operationsIn(defaultQuery)).toEqual(['Stores']);
    }
  });
});

describe('the page', () => {
  test('escapes markup in names and in the title', async () => {
    const evil = '</script><script>alert(1)</script><!--';
    const gateway = await memoryGateway(
      {
        [`${evil.replaceAll('/', '')}/zarr.json`]: arrayDocument('int8', [2, 2], {
          dimension_names: [evil, `"]}'\\u2028`],
        }),
      },
      { graphiql: { title: evil } },
    );
    const page = await pageOf(gateway);
    expect(page).not.toContain('<script>alert');
    expect(page.slice(0, 500)).toContain('&lt;/script>');
    expect(optionsOf(page).defaultQuery).toContain('alert(1)');
  });

  test('has no examples if the URL contains a query', async () => {
    const gateway = sampleGateway({ graphiql: {} });
    const page = await pageOf(gateway, 'http://localhost/graphql?query={__typename}');
    expect(optionsOf(page).defaultQuery).toBeUndefined();
  });
});

describe('the page of a store', () => {
  const statusFor = async (name: string, caller = fullAccess): Promise<number> => {
    const gateway = sampleGateway({ graphiql: {} });
    const request = new Request(`http://localhost/graphql/${name}`, { headers: { accept: 'text/html' } });
    return (await gateway.fetch(request, caller)).status;
  };

  test('exists for a store with a schema, and is NOT_FOUND for an unknown one', async () => {
    expect(await statusFor('coads')).toBe(200);
    expect(await statusFor('unknown')).toBe(404);
  });

  test('is the same for a hidden and an absent store', async () => {
    const gateway = sampleGateway({ graphiql: {} });
    for (const caller of [noAccess, { ...noAccess, mayRead: () => false }]) {
      const digests = ['coads', 'coadz'].map(async (name) => {
        const request = new Request(`http://localhost/graphql/${name}`, { headers: { accept: 'text/html' } });
        const response = await gateway.fetch(request, caller);
        expect(response.status).toBe(200);
        return createHash('sha256')
          .update((await response.text()).replaceAll(name, 'NAME'))
          .digest('hex');
      });
      const [hidden, absent] = await Promise.all(digests);
      expect(hidden).toBe(absent);
    }
  });
});
