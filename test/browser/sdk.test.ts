/** The SDK in a page built with Vite: every data type bit for bit, and the bundle size. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import { folderStore } from '../client/in-process.js';
import { cases, folder as fixtures } from '../client/matrix-cases.js';
import { startBrowser } from './chromium.js';
import { servePage } from './page-server.js';
import { fullAccess } from '../../server/index.js';

const root = join(import.meta.dirname, '../..');
const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;

const html = '<!doctype html><title>SDK</title><script type="module" src="./main.js"></script>';
/** Result of a case in the page: its bytes, or JSON for variable-length types. */
const script = `
  import { createClient } from 'zarrql-client';
  globalThis.read = async (format, cases) => {
    const client = createClient({ url: '/graphql', format });
    const arrays = await Promise.all(cases.map(({ id, node }) => client.store(id).array(node).slice()));
    return arrays.map((array) => array.bytes === undefined ? JSON.stringify(array) : [...array.bytes].join());
  };
  globalThis.watch = async () => {
    const found = [];
    for await (const { path } of createClient({ url: '/graphql' }).store('etopo').search({ kind: 'ARRAY' })) found.push(path);
    return found;
  };`;

const gateway = createGateway({
  stores: [
    ...cases.map(({ id, path }) => folderStore(id, join(fixtures, path))),
    folderStore('etopo', join(root, 'examples/data/etopo20_sharded.zarr')),
  ],
});
let folder: string;
let page: Page | undefined;
let server: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'page-'));
  await writeFile(join(folder, 'index.html'), html);
  await writeFile(join(folder, 'main.js'), script);
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'zarrql-client': join(root, 'client/index.ts') } },
  });
  server = await servePage(join(folder, 'dist'), gateway);
  page = await browser?.newPage();
  await page?.goto(server.url);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('all of the SDK is less than 27.5 kB, compressed', async () => {
  const assets = await readdir(join(folder, 'dist/assets'));
  const sizes = await Promise.all(assets.map(async (name) => gzipSync(await readFile(join(folder, 'dist/assets', name))).length)); // prettier-ignore
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  expect(size).toBeGreaterThan(5_000);
  // Includes 2 kB for protection against broken and hostile gateways, and 100 bytes that give other entry
  // points access to the client of a handle.
  expect(size).toBeLessThan(27_500);
});

test.skipIf(browser === undefined).each(['cbor', 'json'])('every data type by %s', async (format) => {
  const asked = cases.map(({ id, node }) => ({ id, node }));
  const call = `globalThis.read(${JSON.stringify(format)}, ${JSON.stringify(asked)})`;
  const read = await page?.evaluate<readonly string[]>(call);
  const client = createClient({ gateway: gateway.as(fullAccess) });
  const expected = await Promise.all(
    cases.map(async ({ id, node, expected: base64 }) => {
      const array = await client.store(id).array(node).slice();
      return array.bytes === undefined
        ? JSON.stringify(array)
        : [...Buffer.from(base64 ?? '', 'base64')].join();
    }),
  );
  expect(read).toHaveLength(cases.length);
  for (const [i, each] of cases.entries())
    expect(`${each.id} ${read?.[i]}`).toBe(`${each.id} ${expected[i]}`);
});

test.skipIf(browser === undefined)('lists', async () => {
  expect(await page?.evaluate('globalThis.watch()')).toEqual(['/lat', '/lon', '/relief']);
});
