/**
 * The React hooks in a page: the width of a real element, debounced requests, and the picture that is kept. The
 * examples of maps and of live values.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test, describe } from 'vitest';
import { createGateway } from '../../server/gateway.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { startBrowser } from './chromium.js';
import { startExample } from './example-command.js';
import { servePage } from './page-server.js';

const root = join(import.meta.dirname, '../..');
const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;

const html =
  '<!doctype html><title>Charts</title><body style="--width: 300px"><div id="root"></div><script type="module" src="./main.js"></script>';
const debounceMs = 200;
/** Shows the results of the hooks as text. */
const script = `
  import { createElement as h, StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { createClient } from 'zarrql-client';
  import { lazySlice } from 'zarrql-client/analysis';
  import { useLine, useSlice, useStatistics } from 'zarrql-client/react';
  const array = createClient({ url: '/graphql', format: 'json' }).store('m').array('series');
  function Chart({ row }) {
    const { ref, data, error, isLoading } = useLine(lazySlice(array, [row]), { debounceMs: ${debounceMs} });
    const text = data === undefined ? 'nothing' : data.y.shape[0] + ' points, the first ' + data.y.data[0];
    return h('div', { ref, id: 'chart', style: { width: 'var(--width)' } }, text + (isLoading ? ', loading' : '') + (error ? ', error' : ''));
  }
  function Facts({ row }) {
    const { data: mean } = useSlice(lazySlice(array, [row]).mean());
    const { data: all } = useStatistics(lazySlice(array, [row]));
    return h('p', { id: 'facts' }, mean && all ? mean.data[0].toFixed(4) + ' ' + all.max : 'nothing');
  }
  function App() {
    const [row, setRow] = useState(0);
    const [facts, setFacts] = useState(false);
    Object.assign(globalThis, { setRow, setFacts });
    return h(StrictMode, null, facts ? h(Facts, { row }) : h(Chart, { row }));
  }
  createRoot(document.getElementById('root')).render(h(App));`;

const LENGTH = 20_000;
const store = createMemoryStore({ label: 'm' });
const gateway = createGateway({ stores: [{ name: 'm', store }] });
let folder: string;
let server: Awaited<ReturnType<typeof servePage>>;
let page: Page;
/** Requests for data, in the order of arrival; each is pending until the test releases it. */
let held: Route[] = [];
let aborted = 0;

beforeAll(async () => {
  const series = await openHierarchy(store).createArray('/series', {
    shape: [3, LENGTH],
    dtype: 'float64',
    chunkShape: [1, LENGTH],
  });
  const values = Float64Array.from({ length: 3 * LENGTH }, (_, i) => Math.floor(i / LENGTH) * 100 + (i % 7));
  await series.select({ kind: 'all' }).write({ shape: [3, LENGTH], data: values });
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'page-'));
  await writeFile(join(folder, 'index.html'), html);
  await writeFile(join(folder, 'main.js'), script);
  const alias = [
    { find: /^zarrql-client$/, replacement: join(root, 'client/index.ts') },
    { find: /^zarrql-client\/analysis$/, replacement: join(root, 'client/analysis/index.ts') },
    { find: /^zarrql-client\/react$/, replacement: join(root, 'client/adapters/react.ts') },
  ];
  await build({ root: folder, configFile: false, logLevel: 'error', resolve: { alias } });
  server = await servePage(join(folder, 'dist'), gateway);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  if (browser === undefined) return;
  page = await browser.newPage();
  held = [];
  aborted = 0;
  page.on('requestfailed', () => aborted++);
  await page.route('**/graphql', (route) => {
    held.push(route);
  });
  await page.goto(server.url);
});

const chartText = async (): Promise<string | null> => page.textContent('#chart');
const expectText = async (text: string, id = 'chart'): Promise<void> => {
  await expect.poll(() => page.textContent(`#${id}`), { timeout: 20_000 }).toBe(text);
};
const expectRequests = async (count: number): Promise<void> => {
  await expect.poll(() => held.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
};
const widths = (): (string | undefined)[] =>
  held.map((route) => /"width0":(\d+)/.exec(route.request().postData() ?? '')?.[1]);
const release = async (at: number): Promise<void> => held[at]?.continue();

test.skipIf(browser === undefined)('a line has the width of its element after the last resize', async () => {
  // The page is in StrictMode, which mounts components twice, so only the request that is still open
  // counts.
  await expectRequests(1);
  await expect.poll(() => new Set(widths()).size === 1 && widths()[0], { timeout: 20_000 }).toBe('300');
  const first = held.length;
  await release(first - 1);
  await expectText('1114 points, the first 0');
  const ms = await page.evaluate<number>(`(async () => {
    const start = performance.now();
    for (const width of [310, 320, 450]) {
      document.body.style.setProperty('--width', width + 'px');
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    }
    return performance.now() - start;
  })()`);
  await expect.poll(() => widths().at(-1), { timeout: 20_000 }).toBe('450');
  // On a busy machine, more time than the delay can pass between two changes.
  if (ms < debounceMs) expect(widths().slice(first)).toEqual(['450']);
  // The previous line is shown until the next one has been loaded.
  expect(await chartText()).toBe('1114 points, the first 0, loading');
});

test.skipIf(browser === undefined)(
  'replaced requests are aborted, and an error keeps the picture',
  async () => {
    await expectRequests(1);
    await release(held.length - 1);
    await expectText('1114 points, the first 0');
    const before = { held: held.length, aborted };
    await page.evaluate('globalThis.setRow(1)');
    await expectRequests(before.held + 1);
    await page.evaluate('globalThis.setRow(2)');
    await expectRequests(before.held + 2);
    await expect.poll(() => aborted).toBe(before.aborted + 1);
    expect(await chartText()).toBe('1114 points, the first 0, loading');
    await held[before.held + 1]?.fulfill({ status: 400, body: 'no' });
    await expectText('1114 points, the first 0, error');
    await page.evaluate('globalThis.setRow(1)');
    await expectRequests(before.held + 3);
    await release(before.held + 2);
    await expectText('1114 points, the first 101');
  },
);

test.skipIf(browser === undefined)('loads slices and statistics', async () => {
  await page.unroute('**/graphql');
  await page.evaluate('globalThis.setRow(1); globalThis.setFacts(true)');
  const mean =
    Float64Array.from({ length: LENGTH }, (_, i) => 100 + ((i + LENGTH) % 7)).reduce((a, b) => a + b) /
    LENGTH;
  await expectText(`${mean.toFixed(4)} 106`, 'facts');
});

// The examples, by their commands. Tiles of maps come from the address of the page.
test.for(['maplibre', 'openlayers'])(
  'npm run example %s shows tiles of the gateway and a legend',
  { timeout: 90_000 },
  async (name, { skip }) => {
    // Each page has a separate browser, because a single-process browser exits with its page.
    const found = await startBrowser({ graphics: true });
    if ('missing' in found) return skip(found.missing);
    const url = await startExample(name);
    const page = await found.browser.newPage({ viewport: { width: 700, height: 500 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const tiles = new Set<string>();
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url());
      if (pathname.endsWith('.png') && pathname.startsWith('/tiles/'))
        tiles.add(`${response.status()} ${origin}/`);
    });
    try {
      await page.goto(url);
      await page.waitForFunction("document.querySelector('#legend').naturalWidth >= 320");
      await expect.poll(() => [...tiles], { timeout: 20_000 }).toEqual([`200 ${url}`]);
      expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
    } finally {
      await found.browser.close();
    }
  },
);

// Runs the live example by its command: a program writes values, and a subscription notifies the page.
describe('the live example', async () => {
  const found = await startBrowser();
  const browser = 'browser' in found ? found.browser : undefined;
  afterAll(() => browser?.close());

  test.skipIf(browser === undefined)(
    'npm run example live shows new values',
    async () => {
      const url = await startExample('live');
      const page = await browser?.newPage();
      const complaints: string[] = [];
      page?.on('pageerror', (error) => complaints.push(error.message));
      page?.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page?.goto(url);
      const values = page?.locator('output');
      await values?.first().waitFor();
      const before = await values?.allTextContents();
      expect(before).toHaveLength(3);
      await expect.poll(() => values?.allTextContents(), { timeout: 20_000 }).not.toEqual(before);
      expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
    },
    90_000,
  );
});
