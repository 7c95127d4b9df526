/** Pictures of the explorer: large planes, natural colours, complex values, differences, pairs, animations, files. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createClient, ndarray } from '../../client/index.js';
import { serveStores } from '../cli/running.js';
import { startBrowser } from './chromium.js';
import { rootOf, serveSamples, valueOf, visit } from './explorer-pages.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
afterAll(() => browser?.close());

async function serveMemory(...more: string[]) {
  const { address } = await serveStores(['--store', 'm=memory:', '--allow-write', 'm', ...more]);
  return { address, store: createClient({ url: address }).store('m') };
}

/** Number of distinct colours of the first canvas. */
function coloursOf(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.plane canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`);
}

/** The pixel in the middle of the picture, as red, green and blue. */
function middleOf(page: Page): Promise<readonly number[]> {
  return page.evaluate<number[]>(`(() => {
    const canvas = document.querySelector('.plane canvas');
    const ratio = canvas.width / canvas.clientWidth;
    const x = (70 + (canvas.clientWidth - 80) / 2) * ratio;
    const y = (6 + (canvas.clientHeight - 32) / 2) * ratio;
    return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data.slice(0, 3)];
  })()`);
}

test.skipIf(browser === undefined)(
  'a plane above the limit of decoded bytes is averaged, or drawn in part',
  async () => {
    const { address, store } = await serveMemory();
    const large = await store.createArray('large', {
      shape: [30_000, 30_000],
      chunkShape: [2000, 2000],
      dtype: 'float32',
      dimensionNames: ['y', 'x'],
      fillValue: 7,
    });
    await large.write('0:2, 0:2', 1);
    // 3.6 GB: sampling decodes each chunk, which is more than the limit of decoded bytes.
    const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/large`);
    const plane = page.getByRole('region', { name: 'Heat map of large' });
    await plane.getByText(/A pixel combines about/).waitFor();
    expect(await plane.getByRole('alert').count()).toBe(0);

    await store.createArray('huge', {
      shape: [200_000, 200_000],
      chunkShape: [4000, 4000],
      dtype: 'float32',
      dimensionNames: ['y', 'x'],
      fillValue: 7,
    });
    // 160 GB exceed each limit.
    await page.goto(`${rootOf(address)}#/m/huge`);
    const huge = page.getByRole('region', { name: 'Heat map of huge' });
    await huge.getByText(/larger than the gateway may read at once/).waitFor();
    await huge.getByRole('button', { name: 'Zoom in to the middle' }).click();
    await huge.getByText(/A pixel (samples|combines) about/).waitFor();
    await expect.poll(() => page.url()).toMatch(/select=.*x=\[\d+:\d+\]/);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('three positions are red, green and blue', async () => {
  const { address, store } = await serveMemory();
  const image = await store.createArray('image', {
    shape: [20, 30, 3],
    dtype: 'uint8',
    dimensionNames: ['y', 'x', 'band'],
  });
  const pixels = Uint8Array.from({ length: 1800 }, (_, i) => [200, 100, 50][i % 3] ?? 0);
  await image.write(undefined, ndarray(pixels, [20, 30, 3]));
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/image`);
  const band = page.getByRole('group', { name: /band/ });
  // What looks like an image is shown as one, until the user chooses something else.
  await expect.poll(() => middleOf(page)).toEqual([200, 100, 50]);
  await band.getByRole('button', { name: 'one' }).click();
  await expect.poll(() => middleOf(page)).not.toEqual([200, 100, 50]);
  await band.getByRole('button', { name: 'rgb' }).click();
  await expect.poll(() => page.url()).toContain('rgb=band');
  await expect.poll(() => middleOf(page)).toEqual([200, 100, 50]);
  await page.locator('.plane canvas').click();
  await expect.poll(() => page.getByTestId('marked').textContent()).toBe('[200,100,50]');
  // A link to the view shows the same, also after another dimension order of the array.
  await page.reload();
  await expect.poll(() => middleOf(page)).toEqual([200, 100, 50]);
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('complex values have a magnitude, a phase and two parts', async () => {
  const { address, store } = await serveMemory();
  const wave = await store.createArray('wave', {
    shape: [4, 5],
    dtype: 'complex64',
    dimensionNames: ['y', 'x'],
  });
  await wave.write(undefined, [[[3, -4]]]);
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/wave`);
  const low = page.getByLabel('Lowest colour');
  await expect.poll(() => low.inputValue()).toBe('5');
  const parts = page.getByLabel('Part of the complex value');
  await parts.selectOption('imaginary');
  await expect.poll(() => low.inputValue()).toBe('-4');
  await parts.selectOption('phase');
  await expect.poll(() => low.inputValue()).toBe('-0.9273');
  await page.goto(`${rootOf(address)}#/m/wave?x=x&part=real`);
  await page.locator('.line-box[data-points="5"] canvas').waitFor();
  await page.getByText('From 3 to 3.').waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('differences of two times and of two variables', async () => {
  const { address } = await serveSamples();
  const variables = createClient({ url: address }).store('coads').dataset();
  const link = '#/coads/SST?at.TIME=6&mark=1&at.COADSX=100&at.COADSY=45';
  const { page, complaints } = await visit(browser, `${rootOf(address)}${link}`);
  const subtract = page.getByLabel(/^Subtract nothing/);
  await subtract.selectOption({ label: 'the same at another position' });
  await page.getByLabel('Subtracted index along TIME').fill('0');
  await page.getByLabel('Subtracted index along TIME').press('Enter');
  const at = async (name: string, time: number) =>
    Number((await variables.variable(name).slice([time, 45, 100])).get());
  const times = (await at('SST', 6)) - (await at('SST', 0));
  await expect.poll(async () => Number.parseFloat((await valueOf(page)).text)).toBeCloseTo(times, 4);
  await page.getByRole('heading', { name: /− \(TIME/ }).waitFor();
  await subtract.selectOption({ label: 'AIR TEMPERATURE' });
  const two = (await at('SST', 6)) - (await at('AIRT', 6));
  await expect.poll(async () => Number.parseFloat((await valueOf(page)).text)).toBeCloseTo(two, 4);
  await page.reload();
  await page.getByRole('heading', { name: /− AIRT/ }).waitFor();
  expect(await coloursOf(page)).toBeGreaterThan(20);
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('a scatter plot of two variables states their correlation', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/coads/SST?beside=%2FAIRT`);
  await page.getByLabel('Scatter plot of both variables').check();
  await page.getByText(/pairs of pixels, correlation 0\.9\d\d/).waitFor();
  await page.reload();
  await page.getByRole('img', { name: /Scatter plot of/ }).waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'an animation keeps its colours, reads frames ahead, and has a speed',
  async () => {
    const { address, store } = await serveMemory();
    const frames = await store.createArray('frames', {
      shape: [6, 4, 4],
      dtype: 'float32',
      chunkShape: [1, 4, 4],
      dimensionNames: ['t', 'y', 'x'],
    });
    const values = Float32Array.from({ length: 96 }, (_, i) => Math.floor(i / 16) * 10 + (i % 16));
    await frames.write(undefined, ndarray(values, [6, 4, 4]));
    const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/frames`);
    const low = page.getByLabel('Lowest colour');
    const still = page.getByText('Every value is shown.');
    await still.waitFor();
    const before = await low.inputValue();
    const entries = await page.evaluate<number>('history.length');
    await page.getByRole('button', { name: 'Play t' }).click();
    await page.getByLabel('Frames per second').selectOption('10');
    await expect.poll(() => page.getByLabel('Index along t').inputValue()).toBe('3');
    expect(await low.inputValue()).toBe(before);
    await page.getByRole('button', { name: 'Play t' }).click();
    await expect.poll(() => low.inputValue()).not.toBe(before);
    // Frames are no steps of the history.
    expect(await page.evaluate<number>('history.length')).toBe(entries);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('outliers do not compress the histogram', async () => {
  const { address, store } = await serveMemory();
  const noisy = await store.createArray('noisy', {
    shape: [40, 40],
    dtype: 'float64',
    dimensionNames: ['y', 'x'],
  });
  const values = Float64Array.from({ length: 1600 }, (_, i) => (i === 77 ? 1e9 : i === 78 ? -1e7 : i % 100));
  await noisy.write(undefined, ndarray(values, [40, 40]));
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/noisy`);
  await page
    .getByText('Values outside the histogram: 1 below, down to -10000000; 1 above, up to 1000000000.')
    .waitFor();
  const heights = await page.evaluate<number[]>(
    `[...document.querySelectorAll('[aria-label^="Histogram"] rect:first-child')].map((bar) => bar.height.baseVal.value)`,
  );
  expect(heights.filter((height) => height > 0).length).toBeGreaterThan(15);
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('Back undoes the last change of the picture', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/coads/SST`);
  const palette = page.getByLabel(/^Colours/);
  await palette.waitFor();
  await palette.selectOption('magma');
  await page.waitForTimeout(1100);
  await page.getByRole('group', { name: /^TIME/ }).getByRole('button', { name: 'mean' }).click();
  await expect.poll(() => page.url()).toContain('over.TIME=MEAN');
  await page.goBack();
  await expect.poll(() => page.url()).not.toContain('over.TIME');
  await expect.poll(() => palette.inputValue()).toBe('magma');
  await page.goBack();
  await expect.poll(() => palette.inputValue()).toBe('viridis');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('finds titles, units and attributes', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(browser, rootOf(address));
  const search = page.getByLabel('Search arrays and groups');
  await search.fill('air temperature');
  await page.getByRole('navigation').getByRole('link', { name: '/AIRT' }).waitFor();
  await search.fill('surface_altitude earth');
  await page.getByRole('navigation').getByRole('link', { name: '/relief' }).waitFor();
  await search.fill('no such thing');
  await page.getByText('0 found').waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('the saved picture has a title and a colour bar', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/coads/SST`);
  await page.getByText('Every value is shown.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the picture with title and colours' }).click();
  const file = await download;
  const bytes = await readFile(await file.path());
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const canvas = await page.evaluate<number[]>(
    `(() => { const { width, height } = document.querySelector('.plane canvas'); return [width, height]; })()`,
  );
  expect(width).toBe(canvas[0]);
  // The title above, the colour bar below.
  expect(height).toBe((canvas[1] ?? 0) + 46 + 58);
  await page.getByRole('tab', { name: 'Chart' }).click();
  expect(await page.getByLabel('Chart code').textContent()).toContain('Plot.raster(cells');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'lines are drawn in a browser whose language is no valid tag',
  async () => {
    if (browser === undefined) return;
    const { address } = await serveSamples();
    const context = await browser.newContext();
    await context.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })",
    );
    const page = await context.newPage();
    await page.goto(`${rootOf(address)}#/coads/SST?x=TIME`);
    const chart = page.locator('.line-box canvas');
    await chart.waitFor();
    expect(await chart.count()).toBe(1);
  },
);
