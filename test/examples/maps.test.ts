/**
 * The examples with maps, built with Vite and opened in a browser: tiles have the right positions and
 * colours.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paletteOf } from '../../server/pictures/palette.js';
import { startBrowser } from '../browser/chromium.js';
import { servePage } from '../browser/page-server.js';
import { root, sampleStores } from '../docs/samples.js';

const gateway = sampleStores();
let folder: string;
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/maps-'));
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

function vikColours(): ReadonlySet<string> {
  const palette = paletteOf({ name: 'vik' });
  return new Set(Array.from({ length: 256 }, (_, i) => palette.subarray(4 * i, 4 * i + 3).join()));
}

test.each(['map-maplibre', 'map-openlayers'])(
  '%s shows tiles and the legend',
  async (name) => {
    // Each page has a separate browser, because a single-process browser exits with its page.
    const found = await startBrowser({ graphics: true });
    if ('missing' in found) return;
    const { browser } = found;
    const outDir = join(folder, name);
    const example = join(root, 'examples', name);
    await build({
      root: example,
      logLevel: 'error',
      configFile: join(example, 'vite.config.ts'),
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
      const vik = vikColours();
      await expect
        .poll(async () => shareOf(vik, PNG.sync.read(await page.screenshot())), { timeout: 20_000 })
        .toBeGreaterThan(0.9);
      expect(new Set(tiles)).toEqual(new Set([200]));
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
  90_000,
);

/** Colours of the pixels above the legend. */
function shareOf(colours: ReadonlySet<string>, { data, width, height }: PNG): number {
  const rows = height - 160;
  let count = 0;
  for (let i = 0; i < rows * width; i++) if (colours.has(data.subarray(4 * i, 4 * i + 3).join())) count++;
  return count / (rows * width);
}
