/** The SDK in a page built with Vite: every data type bit for bit, and the bundle size. The page of `npm start`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { createClient } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import { fullAccess } from '../../server/index.js';
import { folderStore } from '../client/in-process.js';
import { arraysOfTypes as cases, matrixFolder } from '../conformance/matrix.js';
import { startBrowser } from './chromium.js';
import { servePage } from './page-server.js';

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
  globalThis.search = async () => {
    const found = [];
    for await (const { path } of createClient({ url: '/graphql' }).store('etopo').search({ kind: 'ARRAY' })) found.push(path);
    return found;
  };`;

const gateway = createGateway({
  stores: [
    ...cases.map(({ id, path }) => folderStore(id, join(matrixFolder, path))),
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

test('the SDK is smaller than 33 kB, compressed', async () => {
  const assets = await readdir(join(folder, 'dist/assets'));
  const sizes = await Promise.all(assets.map(async (name) => gzipSync(await readFile(join(folder, 'dist/assets', name))).length)); // prettier-ignore
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  expect(size).toBeGreaterThan(5_000);
  expect(size).toBeLessThan(33_000);
});

test.skipIf(browser === undefined).each(['cbor', 'json'])(
  'reads every data type in the format %s',
  async (format) => {
    const requested = cases.map(({ id, node }) => ({ id, node }));
    const call = `globalThis.read(${JSON.stringify(format)}, ${JSON.stringify(requested)})`;
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
  },
);

test.skipIf(browser === undefined)('searches the arrays of a store', async () => {
  expect(await page?.evaluate('globalThis.search()')).toEqual(['/lat', '/lon', '/relief']);
});

// Runs `npm start` like a new user: the page at the printed address shows the stores and a picture of the
// first array.
describe('start', () => {
  let started: ChildProcess | undefined;
  afterAll(async () => {
    await browser?.close();
    started?.kill('SIGTERM');
  });

  test.skipIf(browser === undefined)('the page at the printed address shows the sample stores', async () => {
    const program = join(import.meta.dirname, '../../scripts/start.mjs');
    started = spawn(process.execPath, [program, '--port', '0', '--log-level', 'warn'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const page = await browser?.newPage();
    const complaints: string[] = [];
    page?.on('pageerror', (error) => complaints.push(error.message));
    page?.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page?.goto(await explorerOf(started));
    const list = page?.getByRole('navigation', { name: 'Stores' });
    for (const name of ['coads', 'etopo20', 'navy_winds'])
      await list?.getByRole('link', { name, exact: true }).waitFor();
    await list?.getByRole('link', { name: 'SST', exact: true }).click();
    await page?.getByText('Every value is shown.').waitFor();
    // With only two colours, the picture would consist of land and axes.
    const colours = await page?.evaluate<number>(`(() => {
    const canvas = document.querySelector('.plane canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`);
    expect(colours).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });

  async function explorerOf({ stdout }: ChildProcess): Promise<string> {
    if (stdout === null) throw new Error('npm start has no output');
    for await (const line of createInterface({ input: stdout })) {
      const [, url] = /^Explorer:\s+(\S+)/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error('npm start printed no address of the explorer');
  }
});
