/**
 * The example of twenty charts in Chromium, built against the packed SDK: each chart is drawn as soon as it arrives. The
 * test opens the store of the slow charts.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { startBrowser } from '../browser/chromium.js';
import { servePage } from '../browser/page-server.js';
import { gateStore } from '../setup/gated-store.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
let folder: string;

const latitudes = Float64Array.from({ length: 20 }, (_, i) => 76 - 8 * i);
const longitudes = Float64Array.from({ length: 360 }, (_, i) => i + 0.5);
const slow = [0, 7, 19];

beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/charts-'));
  await run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder], { cwd: root });
  const modules = join(folder, 'node_modules/zarrql-client');
  await mkdir(modules, { recursive: true });
  await run('sh', ['-c', `tar -xzf "$0"/*.tgz --strip-components=1 -C "$1"`, folder, modules]);
  for (const name of ['dashboard-charts', 'stores.gen.ts'])
    await cp(join(root, 'examples', name), join(folder, name), { recursive: true });
  await build({ root: join(folder, 'dashboard-charts'), configFile: false, logLevel: 'error' });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A relief with one chunk per latitude. */
async function createRelief() {
  const memory = createMemoryStore({ label: 'etopo20' });
  const hierarchy = openHierarchy(memory);
  await hierarchy.createGroup('/');
  const axes = { lat: latitudes, lon: longitudes };
  for (const [name, data] of Object.entries(axes)) {
    const shape = [data.length];
    const axis = await hierarchy.createArray(`/${name}`, { shape, dtype: 'float64', dimensionNames: [name] });
    await axis.select({ kind: 'all' }).write({ shape, data });
  }
  const shape = [latitudes.length, longitudes.length];
  const relief = await hierarchy.createArray('/relief', {
    shape,
    dtype: 'float32',
    chunkShape: [1, longitudes.length],
    dimensionNames: ['lat', 'lon'],
  });
  const data = Float32Array.from(
    { length: latitudes.length * longitudes.length },
    (_, i) => 3000 * Math.sin(i),
  );
  await relief.select({ kind: 'all' }).write({ shape, data });
  return memory;
}

test.skipIf(browser === undefined)(
  'shows seventeen charts while three are pending, from one request',
  async () => {
    const isSlow = (key: string) => slow.some((row) => key === `relief/c/${row}/0`);
    const { store, open } = gateStore(await createRelief(), isSlow);
    const gateway = createGateway({ stores: [{ name: 'etopo20', store }] });
    const server = await servePage(join(folder, 'dashboard-charts/dist'), gateway);
    onTestFinished(async () => {
      open();
      server.close();
      await gateway.close();
    });
    const page = await browser?.newPage();
    if (page === undefined) return;
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) requests++;
    });
    await page.goto(server.url);
    const charts = page.locator('figure');
    const pending = async () =>
    charts.evaluateAll((figures) => figures.flatMap((figure, i) => (figure.getAttribute('aria-busy') === 'true' ? [i] : []))); // prettier-ignore
    await expect.poll(pending, { timeout: 20_000 }).toEqual(slow);
    expect(await page.locator('figure path').count()).toBe(17);
    open();
    await expect.poll(pending, { timeout: 20_000 }).toEqual([]);
    expect(await page.locator('figure path').count()).toBe(20);
    expect(requests).toBe(1);
    expect(complaints).toEqual([]);
  },
  60_000,
);
