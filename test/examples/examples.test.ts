/** The examples: a service, and dashboards and maps built with Vite and opened in a browser. */
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { folderStore } from '../client/in-process.js';
import { paletteOf } from '../../server/pictures/palette.js';
// @ts-expect-error a script without types
import { installIn } from '../../scripts/installed.mjs';
import { startBrowser } from '../browser/chromium.js';
import { servePage } from '../browser/page-server.js';
import { listen } from '../client/listen.js';
import { root, sampleStores } from '../docs/format-samples.js';

const examples = join(root, 'examples');
const gateway = sampleStores();
const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
let folder: string;
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/examples-'));
});
afterAll(async () => {
  await browser?.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('the service stores readings, and responds with means, and 400 for an unknown month', async () => {
  const station = { name: 'station', store: createMemoryStore({ label: 'station' }), writable: true };
  const ocean = folderStore('ocean', join(root, 'examples/data/ocean.zarr'));
  const served = createGateway({ stores: [ocean, station] });
  const { url, close } = await listen((request) => served.fetch(request, fullAccess));
  const tutorial = await readFile(join(root, 'docs/tutorials/service.md'), 'utf8');
  // The command of the tutorial, which must run in a fresh clone.
  const [, command = ''] = /^npx tsx (\S.*service\.ts) /m.exec(tutorial) ?? [];
  const child = spawn(process.execPath, ['--import', 'tsx', ...command.split(' ')], {
    cwd: root,
    env: { ...process.env, GATEWAY: url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<string>((resolve) => {
      child.stdout.on('data', (text: Buffer) => resolve(/port: (\d+)/.exec(String(text))?.[1] ?? ''));
    });
    const send = (path: string, body?: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, body === undefined ? {} : { method: 'POST', body });
    for (const reading of ['[18, 1000]', '[20, 1010]']) await send('/readings', reading);
    expect(await (await send('/readings')).json()).toEqual({ means: [19, 1005] });
    expect((await send('/readings', '[1]')).status).toBe(400);
    expect((await send('/readings', '["a", "b"]')).status).toBe(400);
    const march = (await (await send('/sst?month=2021-03&south=-10&north=10')).json()) as { mean: number };
    expect(march.mean).toBeCloseTo(27.6, 0);
    expect(await (await send('/sst')).text()).toBe(await (await send('/sst?month=2021-01&south=-90')).text());
    expect((await send('/sst?month=2021-13')).status).toBe(400);
  } finally {
    child.kill();
    close();
    await served.close();
  }
});

test('the examples compile, and their generated store types are up to date', async () => {
  installIn(join(examples, 'dashboard-tanstack'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const check = promisify(execFile)(process.execPath, [tsc, '-p', join(examples, 'tsconfig.json')]);
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
  const golden = await readFile(join(root, 'test/types/generated/stores.ts'), 'utf8');
  const types = await readFile(join(examples, 'stores.gen.ts'), 'utf8');
  expect(types.replace(/\s+|;/g, '')).toBe(golden.replace('../../../client/index.js', 'zarrql-client').replace(/\s+|;/g, ''));
}, 60_000); // prettier-ignore

test.skipIf(browser === undefined).each(['dashboard-tanstack', 'dashboard-urql'])(
  '%s shows a month, and another one',
  async (name) => {
    installIn(join(examples, name));
    const outDir = join(folder, name);
    const config = { configFile: join(examples, 'vite.config.ts'), build: { outDir } } as const;
    await build({ root: join(examples, name), logLevel: 'error', ...config });
    const server = await servePage(outDir, gateway);
    const page = await browser?.newPage();
    const complaints: string[] = [];
    page?.on('pageerror', (error) => complaints.push(error.message));
    try {
      await page?.goto(server.url);
      const caption = page?.locator('figcaption');
      await caption?.waitFor();
      const january = await caption?.textContent();
      expect(january).toMatch(/^-?\d+\.\d\d to \d+\.\d\d °C$/);
      // The canvas is not empty.
      expect(await page?.evaluate("document.querySelector('canvas').getContext('2d').getImageData(0, 0, 180, 90).data.some(Boolean)")).toBe(true);
      await page?.locator('input').fill('6');
      await page?.waitForFunction(`document.querySelector('figcaption')?.textContent !== ${JSON.stringify(january)}`);
      expect(complaints).toEqual([]);
    } finally {
      server.close();
    }
  },
  60_000,
); // prettier-ignore

test.skipIf(browser === undefined)(
  'dashboard-charts loads twenty lines in one request',
  async () => {
    const root = join(examples, 'dashboard-charts');
    const outDir = join(folder, 'dashboard-charts');
    await build({ root, logLevel: 'error', configFile: join(examples, 'vite.config.ts'), build: { outDir } });
    const server = await servePage(outDir, gateway);
    const page = await browser?.newPage();
    const complaints: string[] = [];
    page?.on('pageerror', (error) => complaints.push(error.message));
    let requests = 0;
    page?.on('request', (request) => {
      if (request.url().endsWith('/graphql')) requests++;
    });
    try {
      await page?.goto(server.url);
      await page?.waitForFunction("document.querySelectorAll('path').length === 20");
      expect(requests).toBe(1);
      expect(complaints).toEqual([]);
    } finally {
      server.close();
    }
  },
  60_000,
);

test.skipIf(browser === undefined)(
  'tools-zarrita draws a mean by zarrita, and lists a table by Arquero',
  async () => {
    const name = 'tools-zarrita';
    installIn(join(examples, name));
    const outDir = join(folder, name);
    const configFile = join(examples, 'vite.config.ts');
    await build({ root: join(examples, name), logLevel: 'error', configFile, build: { outDir } });
    const server = await servePage(outDir, gateway);
    const page = await browser?.newPage();
    const complaints: string[] = [];
    page?.on('pageerror', (error) => complaints.push(error.message));
    try {
      await page?.goto(server.url);
      await page?.waitForFunction("document.querySelectorAll('tr').length > 50");
      expect(complaints).toEqual([]);
      expect(await page?.locator('figcaption').textContent()).toBe('Sea surface temperature, degree_Celsius');
      const rows = await page?.locator('tr').allTextContents();
      expect(rows).toContain('1°27.4');
      const colours =
        "[...document.querySelector('canvas').getContext('2d').getImageData(0, 0, 180, 90).data]";
      const pixels = (await page?.evaluate(colours)) as readonly number[];
      // The Pacific at the equator is warm, and the sea at 70 degrees north is cold; land is transparent.
      const at = (x: number, y: number): readonly number[] =>
        pixels.slice(4 * (y * 180 + x), 4 * (y * 180 + x) + 4);
      expect(at(5, 44)[0]).toBeGreaterThan(200);
      expect(at(90, 9)[0]).toBeLessThan(80);
      expect(pixels.filter((_, i) => i % 4 === 3).every((alpha) => alpha === 255)).toBe(false);
    } finally {
      server.close();
    }
  },
  60_000,
);

describe('maps', () => {
  function vikColours(): ReadonlySet<string> {
    const palette = paletteOf({ name: 'vik' });
    return new Set(Array.from({ length: 256 }, (_, i) => palette.subarray(4 * i, 4 * i + 3).join()));
  }

  test.for(['map-maplibre', 'map-openlayers'])(
    '%s shows the legend, and tiles with the right positions and colours',
    // On a busy machine, a browser without a graphics processor rarely fails to draw the last tiles.
    { timeout: 90_000, retry: 2 },
    async (name, { skip }) => {
      // Each page has a separate browser, because a single-process browser exits with its page.
      const found = await startBrowser({ graphics: true });
      if ('missing' in found) return skip(found.missing);
      const { browser } = found;
      const outDir = join(folder, name);
      const example = join(root, 'examples', name);
      installIn(example);
      const config = join(folder, `${name}.json`);
      writeFileSync(
        config,
        JSON.stringify({ extends: join(examples, 'tsconfig.json'), include: [example], exclude: [] }),
      );
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const check = promisify(execFile)(process.execPath, [tsc, '-p', config]);
      expect(
        await check.then(
          ({ stdout }) => stdout,
          (error: { stdout: string }) => error.stdout,
        ),
      ).toBe('');
      await build({
        root: example,
        logLevel: 'error',
        configFile: join(root, 'examples/vite.config.ts'),
        build: { outDir },
      });
      const server = await servePage(outDir, gateway);
      const page = await browser.newPage({ viewport: { width: 700, height: 500 } });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      const tiles: number[] = [];
      page.on('response', (response) => {
        if (/\/tiles\/[^/]+\/\d+\/\d+\/\d+\.png$/.test(response.url())) tiles.push(response.status());
      });
      try {
        await page.goto(server.url);
        await page.waitForFunction("document.querySelector('#legend').naturalWidth >= 320");
        await page.waitForLoadState('networkidle');
        expect(complaints).toEqual([]);
        expect(new Set(tiles)).toEqual(new Set([200]));
        const vik = vikColours();
        await expect
          .poll(async () => shareOf(vik, PNG.sync.read(await page.screenshot())), { timeout: 20_000 })
          .toBeGreaterThan(0.9);
        expect({ complaints, tiles: new Set(tiles) }).toEqual({ complaints: [], tiles: new Set([200]) });
        const { data, width } = PNG.sync.read(await page.screenshot());
        // Land is brown at the centre (the Sahara), the sea south of it is blue.
        const at = (x: number, y: number): readonly number[] => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)]; // prettier-ignore
        const [red = 0, , blue = 0] = at(350, 262);
        expect(red).toBeGreaterThan(blue);
        const [seaRed = 0, , seaBlue = 0] = at(350, 430);
        expect(seaBlue).toBeGreaterThan(seaRed);
      } finally {
        server.close();
        await browser.close();
      }
    },
  );

  test(
    'tools-geozarr: OpenLayers draws a computed mean as GeoZarr',
    { timeout: 90_000, retry: 2 },
    async ({ skip }) => {
      const started = await startBrowser({ graphics: true });
      if ('missing' in started) return skip(started.missing);
      const name = 'tools-geozarr';
      installIn(join(examples, name));
      const outDir = join(folder, name);
      const configFile = join(examples, 'vite.config.ts');
      await build({ root: join(examples, name), logLevel: 'error', configFile, build: { outDir } });
      const server = await servePage(outDir, gateway);
      const page = await started.browser.newPage({ viewport: { width: 720, height: 360 } });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      try {
        await page.goto(server.url);
        await page.waitForFunction("document.body.dataset.state === 'ready'");
        // One pixel is half a degree, from 0° E and 90° N.
        const colourAt = async (east: number, north: number): Promise<readonly number[]> => {
          const { data, width } = PNG.sync.read(await page.screenshot());
          const at = 4 * ((90 - north) * 2 * width + east * 2);
          return [...data.subarray(at, at + 3)];
        };
        // The Pacific is red at the equator and blue at 70 degrees north; land is white.
        await expect.poll(async () => (await colourAt(170, 1))[2], { timeout: 20_000 }).toBeLessThan(80);
        expect((await colourAt(170, 1))[0]).toBeGreaterThan(180);
        expect((await colourAt(0, 71))[2]).toBeGreaterThan(180);
        expect(await colourAt(20, 25)).toEqual([255, 255, 255]);
        expect(complaints).toEqual([]);
      } finally {
        server.close();
        await started.browser.close();
      }
    },
  );

  /** The share of pixels with one of these colours, above the legend. */
  function shareOf(colours: ReadonlySet<string>, { data, width, height }: PNG): number {
    const rows = height - 160;
    let count = 0;
    for (let i = 0; i < rows * width; i++) if (colours.has(data.subarray(4 * i, 4 * i + 3).join())) count++;
    return count / (rows * width);
  }
});
