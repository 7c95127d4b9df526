/** `zarrql codegen` for the sample stores writes the file with which the type tests are compiled. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import { readCatalog, writeStores, type Catalog, type CatalogArray } from '../../../client/codegen/index.js';
import { plugin } from '../../../client/codegen/stores-plugin.js';
import { sampleStores } from '../../docs/format-samples.js';
import { listen } from '../listen.js';
import { fullAccess } from '../../../server/index.js';

const gateway = sampleStores();
let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen((request) => gateway.fetch(request, fullAccess));
});
afterAll(async () => {
  server.close();
  await gateway.close();
});

const runtime = '../../../client/index.js';
const golden = () => readFile(join(import.meta.dirname, '../../types/generated/stores.ts'), 'utf8');

test('generates types for the sample stores over HTTP and in the same process', async () => {
  for (const client of [createClient({ url: server.url }), createClient({ gateway: gateway.as(fullAccess) })])
    expect(writeStores(await readCatalog(client), { runtime })).toBe(await golden());
});

test('produces the same output as a GraphQL Code Generator plugin', async () => {
  expect(await plugin(undefined, [], { url: server.url, runtime })).toBe(await golden());
});

test('generates types for selected stores under another name', async () => {
  const catalog = await readCatalog(createClient({ gateway: gateway.as(fullAccess) }), {
    stores: ['etopo20'],
  });
  const text = writeStores(catalog, { name: 'Relief' });
  expect(text).toContain("from 'zarrql-client'");
  expect(text).toContain('export interface Relief {');
  expect(text).not.toContain('coads');
});

function catalogOf(array: Partial<CatalogArray>, name = 's'): Catalog {
  const one = { path: 'a', dtype: 'int8' as const, dimensions: [], shape: [], attributes: {}, ...array };
  return { stores: [{ name, description: null, arrays: [one], groups: [], datasets: [] }] };
}

describe('untrusted names and text', () => {
  const hostile = "*/ } export const x = 'y'; /*\n\u2028\u007f\u009b\\'\"`${z}";

  test.each([
    ['a store', () => catalogOf({}, hostile)],
    ['a path', () => catalogOf({ path: hostile })],
    ['a dimension', () => catalogOf({ dimensions: [hostile], shape: [1] })],
    ['an attribute', () => catalogOf({ attributes: { [hostile]: 1 } })],
    ['a displayed text', () => catalogOf({ attributes: { long_name: hostile } })],
  ])('%s cannot end a literal or comment', (_what, catalog) => {
    const code = writeStores(catalog())
      .replace(/^\/\/.*/, '')
      .replace(/\/\*\*(?:(?!\*\/).)*\*\//g, '')
      .replace(/'(?:[^'\\]|\\.)*'/g, "''");
    expect(code).not.toMatch(/export const|\u2028|[\u007f-\u009f`\\]/);
  });

  test('attributes have types derived from their values', () => {
    const attributes = {
      units: 'm', n: 1, flag: true, none: null, list: [1, 2], mixed: [1, 'a'], empty: [],
      nested: { a: { b: { c: 1 } } }, many: Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, i])),
    }; // prettier-ignore
    const text = writeStores(catalogOf({ attributes }));
    for (const member of [
      'units: string', 'n: number', 'flag: boolean', 'none: null', 'list: readonly number[]', 'mixed: readonly JsonValue[]',
      'empty: readonly JsonValue[]', 'nested: { readonly a: { readonly b: JsonValue } }', 'many: { readonly [name: string]: JsonValue }',
    ]) expect(text).toContain(`readonly ${member}`); // prettier-ignore
    expect(text).toContain("import type { ArrayType, JsonValue } from 'zarrql-client';");
  });

  test('an unsupported data type allows any type, and unnamed dimensions are omitted', () => {
    const text = writeStores(catalogOf({ dtype: undefined, dimensions: [null], shape: [3] }));
    expect(text).toContain('/** unsupported type [3] */');
    expect(text).toContain('ArrayType<DTypeName, never, {}>');
  });
});
