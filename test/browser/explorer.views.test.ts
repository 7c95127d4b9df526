/** Views of the explorer: maps of tiles, fields of structs, long coordinates, two variables, animations. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { serveStores } from '../cli/running.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { array, commit, createRepository, floats, group } from '../store/icechunk/write-repository.js';
import { serveGated } from './gated-gateway.js';
import { startBrowser } from './chromium.js';
import { rootOf, serveSamples, valueOf, visit } from './explorer-pages.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
afterAll(() => browser?.close());

test.skipIf(browser === undefined)(
  'a map of tiles shows the value of the store under the pointer',
  async () => {
    const { address } = await serveSamples();
    const { page, outside, complaints } = await visit(browser, `${rootOf(address)}#/etopo20/relief`);
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    const canvas = page.locator('canvas.map[data-tiles="shown"]');
    await canvas.waitFor();
    await expect.poll(() => page.url()).toContain('map=');
    // Shows both sea and land, so the picture has several colours.
    const colours = await page.evaluate<number>(`(() => {
    const canvas = document.querySelector('canvas.map');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`);
    expect(colours).toBeGreaterThan(100);
    await page.goto(`${rootOf(address)}#/etopo20/relief?map=4/27.99/86.93`);
    await canvas.waitFor();
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('the page shows no map');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const pointed = await valueOf(page, 'pointed');
    expect(Number(pointed.text)).toBeGreaterThan(3000);
    const relief = createClient({ url: address })
      .store('etopo20')
      .dataset()
      .variable('relief', { dtype: 'float32' });
    const everest = await relief.slice({
      lat: { at: 27.99, method: 'nearest' },
      lon: { at: 86.93, method: 'nearest' },
    });
    expect(Math.fround(Number(pointed.text))).toBe(everest.get());
    await canvas.focus();
    await page.keyboard.press('-');
    await expect.poll(() => decodeURIComponent(page.url())).toContain('map=3/');
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('shows a field of a struct, and all fields as a table', async () => {
  const { address } = await serveStores(['--store', 'm=memory:', '--allow-write', 'm']);
  const records = await createClient({ url: address })
    .store('m')
    .createArray('points', {
      shape: [3],
      dtype: [
        ['height', '<f4'],
        ['count', '<i2'],
      ],
    });
  expect((await records.info()).dtype.name).toBe('struct');
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/points`);
  const table = page.getByRole('region', { name: 'Table of values' });
  await table.getByRole('columnheader', { name: 'height' }).waitFor();
  await table.getByRole('cell', { name: '0' }).first().waitFor();
  await page.getByLabel('Field').selectOption('height');
  await page.locator('.line-box[data-points="3"] canvas').waitFor();
  await expect.poll(() => page.url()).toContain('field=height');
  expect(await page.getByLabel('GraphQL code').textContent()).toContain('field(name: "height")');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'labels of a coordinate that is too long to load are looked up',
  async () => {
    const { address } = await serveStores(['--store', 'm=memory:', '--allow-write', 'm']);
    const store = createClient({ url: address }).store('m');
    const size = 30_000;
    const time = await store.createArray('time', {
      shape: [size],
      dtype: 'int32',
      dimensionNames: ['time'],
      attributes: { units: 'hours since 2001-01-01' },
    });
    await time.write(
      undefined,
      Int32Array.from({ length: size }, (_, i) => i),
    );
    await store.createArray('t', { shape: [size, 4], dtype: 'float32', dimensionNames: ['time', 'x'] });
    const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/t?x=x`);
    const date = page.getByLabel('Date along time');
    await expect.poll(() => date.inputValue()).toBe('2001-01-01');
    await date.fill('2003-03');
    await date.press('Enter');
    // 365 + 365 + 31 + 28 days.
    await expect.poll(() => page.getByLabel('Index along time').inputValue()).toBe(String(24 * 789));
    await expect.poll(() => date.inputValue()).toBe('2003-03-01');
    await date.fill('2003-03-01T00:20');
    await date.press('Enter');
    await expect.poll(() => date.inputValue()).toBe('2003-03-01');
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('plays an animation; two variables have separate colours', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/coads/SST?beside=%2FAIRT`);
  const second = page.getByRole('region', { name: /AIR TEMPERATURE/ });
  await second.getByLabel('Lowest colour').fill('5');
  await second.getByLabel('Lowest colour').press('Enter');
  await expect.poll(() => page.url()).toContain('low2=5');
  expect(page.url()).not.toContain('low=5');
  await page.getByRole('button', { name: 'Play TIME' }).click();
  await expect.poll(() => page.getByLabel('Index along TIME').inputValue(), { timeout: 15_000 }).toBe('3');
  await page.getByRole('button', { name: 'Play TIME' }).click();
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'a group shows the ranges of its coordinates as they arrive, from one request',
  async () => {
    const { address, open } = await serveGated();
    const { page, complaints } = await visit(browser, rootOf(address));
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('@defer') === true) requests.push(request.url());
    });
    await page.goto(`${rootOf(address)}#/s/`);
    const rows = page.getByRole('group', { name: 'Coordinates' }).getByRole('row');
    const y = rows.filter({ hasText: 'y 20' });
    const x = rows.filter({ hasText: 'x 30' });
    await y.getByText('0 … 9.5').waitFor();
    expect(await x.innerText()).not.toContain('…');
    open();
    await x.getByText('0 … 14.5').waitFor();
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('versions of a repository: menu, history, difference', async () => {
  const folder = folderOfTest('icechunk');
  const written = await createRepository();
  const first = await commit(written, 'first measurements', {
    'zarr.json': group(),
    't/zarr.json': { ...array([4, 5], [4, 5]), dimension_names: ['y', 'x'] },
    't/c/0/0': floats(...new Array<number>(20).fill(3)),
  });
  await written.repository.createTag('v1', first);
  await commit(written, 'corrected', { 't/c/0/0': floats(...new Array<number>(20).fill(5)) });
  for (const [key, bytes] of written.objects) {
    await mkdir(join(folder, dirname(key)), { recursive: true });
    await writeFile(join(folder, key), bytes);
  }
  const { address } = await serveStores(['--store', `ice=icechunk+file:${folder}`]);
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/ice/t?mark=1`);
  expect((await valueOf(page)).text).toBe('5');
  const menu = page.getByLabel(/^Version/);
  await menu.selectOption({ label: 'tag v1' });
  await expect.poll(async () => (await valueOf(page)).text).toBe('3');
  expect(page.url()).toContain(`ice%40${first}`);
  await page.getByText('History').click();
  await page.getByRole('link', { name: 'corrected' }).click();
  await expect.poll(async () => (await valueOf(page)).text).toBe('5');
  await page.getByLabel(/^Subtract nothing/).selectOption({ label: 'tag v1' });
  await expect.poll(async () => (await valueOf(page)).text).toBe('2 (5 − 3)');
  await page.reload();
  await page.getByRole('heading', { name: `− version ${first}` }).waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'the card of a store begins with the variables of most dimensions, and draws the first of them',
  async () => {
    const { address } = await serveStores(['--store', 'm=memory:', '--allow-write', 'm']);
    const store = createClient({ url: address }).store('m');
    const names = ['t', 'y', 'x'];
    const create = (name: string, shape: number[], dimensionNames: string[]) =>
      store.createArray(name, { shape, dtype: 'float32', dimensionNames, fillValue: 1 });
    await create('a_series', [5], ['t']);
    await create('b_mask', [9, 9], ['y', 'x']);
    await create('c_field', [5, 9, 9], names);
    const { page, complaints } = await visit(browser, rootOf(address));
    const card = page.getByRole('region', { name: 'Store m' });
    await card.getByRole('img', { name: 'c_field, drawn by the gateway' }).waitFor();
    expect(await card.getByRole('listitem').allTextContents()).toEqual(['c_field ', 'b_mask ', 'a_series ']);
    await card.getByRole('link', { name: 'c_field' }).click();
    await page.getByText('1 chunk of 5 × 9 × 9', { exact: true }).waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
  },
);
