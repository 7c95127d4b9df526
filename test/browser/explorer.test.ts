/** The explorer in a browser that can access only the gateway. */
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { serveStores } from '../cli/running.js';
import { axeSource, startBrowser } from './chromium.js';
import { rootOf, samples, serveSamples, valueOf, visit } from './explorer-pages.js';
import { writeLongLine, writePyramid } from './large-stores.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
afterAll(() => browser?.close());

test.skipIf(browser === undefined)(
  'the start page leads to an array, a line and a query in GraphiQL',
  async () => {
    const { address } = await serveSamples();
    const { page, outside, complaints } = await visit(browser, rootOf(address));

    // Waits for the pictures of the stores, which the gateway draws.
    await page.getByRole('img', { name: 'AIR TEMPERATURE, drawn by the gateway' }).waitFor();
    const widths = () =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('.thumbnail img')].map((image) => image.naturalWidth)",
      );
    await expect.poll(widths).toEqual([180, 360]);

    await page.getByRole('searchbox').fill('sst');
    await page.getByRole('link', { name: '/SST' }).click();
    await page.getByRole('heading', { name: 'SEA SURFACE TEMPERATURE', exact: false }).first().waitFor();

    const date = page.getByLabel('Date along TIME');
    await date.fill('0000-04');
    await date.press('Enter');
    await expect.poll(() => page.getByLabel('Index along TIME').inputValue()).toBe('3');
    await expect.poll(() => page.url()).toContain('select=TIME=0000-04');

    const canvas = page.locator('.plane canvas');
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('the page shows no picture');
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    const client = createClient({ url: address });
    const sst = client.store('coads').dataset().variable('SST', { dtype: 'float32' });
    const pointed = await valueOf(page, 'pointed');
    const stored = await sst.slice({ TIME: 3, COADSY: pointed.row, COADSX: pointed.column });
    expect(Math.fround(Number(pointed.text))).toBe(stored.get());

    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.getByRole('button', { name: 'Line along TIME' }).click();
    await page.locator('.line-box[data-points="12"] canvas').waitFor();

    await page.getByRole('tab', { name: 'Store schema' }).click();
    const typed = page.getByLabel('Store schema code');
    await expect.poll(() => typed.textContent()).toContain(`SST(COADSY: { index: ${pointed.row} }, COADSX: { index: ${pointed.column} }) {`); // prettier-ignore
    const short = await createClient({ url: address }).store('coads').request((await typed.textContent()) ?? ''); // prettier-ignore
    expect(short).toMatchObject({ SST: { shape: [12] } });

    await page.getByRole('tab', { name: 'GraphQL' }).click();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open in GraphiQL' }).click(),
    ]);
    await opened.locator('.graphiql-execute-button').waitFor();
    const [response] = await Promise.all([
      opened.waitForResponse((one) => one.request().postData()?.includes('COADSY') === true),
      opened.locator('.graphiql-execute-button').click(),
    ]);
    const line = await sst.slice({ COADSY: pointed.row, COADSX: pointed.column });
    expect(await response.json()).toMatchObject({
      data: { store: { dataset: { variable: { slice: { values: [...line.data] } } } } },
    });

    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  },
  90_000,
);

test.skipIf(browser === undefined)('a link reproduces the view, and files contain its values', async () => {
  const { address } = await serveSamples();
  const view =
    '#/coads/SST?at.TIME=6&span.COADSX=80:140&span.COADSY=30:60&palette=magma&low=10&high=30&mark=1&at.COADSX=100&at.COADSY=45';
  const { page, complaints } = await visit(browser, `${rootOf(address)}${view}`);
  expect(await valueOf(page)).toMatchObject({ row: 45, column: 100 });
  expect(await page.getByLabel('Lowest colour').inputValue()).toBe('10');
  await page.getByRole('button', { name: 'Links to files' }).click();
  const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
  const csv = await (await fetch(href ?? '')).text();
  expect(csv.trim().split('\n').length).toBe(1 + 60 * 30);
  const picture = await fetch((await page.getByRole('link', { name: 'PNG' }).getAttribute('href')) ?? '');
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('an address selects by labels as text', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(
    browser,
    `${rootOf(address)}#/coads/SST?select=TIME=0000-07,COADSY=-29.5..30.5,COADSX=180&mark=1`,
  );
  expect(await valueOf(page)).toMatchObject({ column: 79 });
  expect(await page.getByLabel('Index along TIME').inputValue()).toBe('6');
  await expect.poll(() => page.url()).toContain('select=TIME=0000-07,COADSX=179,COADSY=-29..29&');

  await page.evaluate("location.hash = '#/coads/SST?select=TIME=0000-09,COADSY=100..110'");
  await page.getByText('The selection of “COADSY” matches no position.').waitFor();
  expect(await page.getByLabel('Index along TIME').inputValue()).toBe('8');
  await page.getByLabel('Next along TIME').click();
  await page.getByText('matches no position').waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => page.getByLabel('Index along TIME').inputValue()).toBe('8');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('a click shows a mean, and users set the colour range', async () => {
  const { address } = await serveSamples();
  const { page, complaints } = await visit(
    browser,
    `${rootOf(address)}#/coads/SST?mark=1&at.COADSX=100&at.COADSY=45`,
  );
  await page.getByTitle('Mean over all positions').first().click();
  await expect.poll(() => page.url()).toContain('over.TIME=MEAN');
  const { text } = await valueOf(page);
  const sst = await createClient({ url: address })
    .store('coads')
    .dataset()
    .variable('SST', { dtype: 'float32' })
    .slice({ COADSY: 45, COADSX: 100 });
  const mean = sst.data.reduce((sum, value) => sum + value, 0) / 12;
  await expect.poll(async () => Math.abs(Number((await valueOf(page)).text) - mean)).toBeLessThan(1e-4);
  expect(text).not.toBe('');
  await page.getByLabel('Lowest colour').fill('20');
  await page.getByLabel('Lowest colour').press('Enter');
  await expect.poll(() => page.url()).toContain('low=20');
  await page.locator('.plane canvas').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.url()).toContain('COADSX=223');
  await page.keyboard.press('+');
  await expect.poll(() => page.url()).toMatch(/select=.*COADSX=[\d.]+\.\.[\d.]+/);
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'a picture that arrives does not replace what the user types',
  async () => {
    const { address } = await serveSamples();
    const { page, complaints } = await visit(browser, `${rootOf(address)}#/coads/SST`);
    const lowest = page.getByLabel('Lowest colour');
    await lowest.waitFor();
    const highest = page.getByLabel('Highest colour');
    const first = await highest.inputValue();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/graphql', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByTitle('Mean over all positions').first().click();
    await lowest.fill('20');
    release();
    // The other end of the colours shows that the picture has arrived.
    await expect.poll(() => highest.inputValue()).not.toBe(first);
    expect(await lowest.inputValue()).toBe('20');
    await highest.focus();
    await expect.poll(() => page.url()).toContain('low=20');
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('changes by other clients appear', async () => {
  const { address } = await serveSamples('--store', 'm=memory:', '--allow-write', 'm');
  const live = await createClient({ url: address })
    .store('m')
    .createArray('live', { shape: [4, 6], dtype: 'float32', dimensionNames: ['y', 'x'] });
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/m/live?mark=1&at.y=1&at.x=2`);
  await expect.poll(async () => (await valueOf(page)).text).toBe('0');
  await page.locator('.live').waitFor();
  await live.write({ y: 1 }, 7.5);
  await expect.poll(async () => (await valueOf(page)).text).toBe('7.5');
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('a token is requested once, and kept in the tab', async () => {
  const config = join(folderOfTest('explorer'), 'zarrql.json');
  const sha256 = createHash('sha256').update('secret').digest('hex');
  writeFileSync(
    config,
    JSON.stringify({
      stores: [{ name: 'coads', url: `${samples}/coads.zarr` }],
      auth: { roles: { all: { read: ['*'] } }, tokens: [{ name: 'a', sha256, roles: ['all'] }] },
    }),
  );
  const { address } = await serveStores(['--config', config]);
  const { page } = await visit(browser, rootOf(address));
  await page.getByLabel('Token', { exact: true }).fill('secret');
  await page.getByRole('button', { name: 'Use token' }).click();
  const list = page.getByRole('navigation', { name: 'Stores' });
  await list.getByRole('link', { name: 'coads' }).waitFor();
  await page.reload();
  await list.getByRole('link', { name: 'SST' }).waitFor();
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret');
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(await axeSource());
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

const [desktop, phone] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

test.skipIf(browser === undefined)(
  'axe finds no fault in either colour scheme, and no page is too wide',
  async () => {
    const { address } = await serveSamples();
    const views = [
      ['#/', desktop],
      ['#/coads', desktop],
      ['#/coads/SST?table=1&mark=1&beside=%2FAIRT', desktop],
      ['#/etopo20/relief?map=1/0/0', desktop],
      ['#/coads/SST?x=TIME&at.COADSX=80&at.COADSY=45', desktop],
      ['#/coads/SST', phone],
    ] as const;
    for (const [fragment, viewport] of views) {
      const { page, complaints } = await visit(browser, `${rootOf(address)}${fragment}`, viewport, 'light');
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-theme=${scheme}]`).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await faultsOf(page), `${fragment}, ${scheme}`).toEqual([]);
        const wide = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(wide, fragment).toBeLessThanOrEqual(0);
      }
      expect(complaints, fragment).toEqual([]);
      await page.close();
    }
  },
);

test.skipIf(browser === undefined)(
  'errors are shown in the failed component, with a suggested fix',
  async () => {
    const { address } = await serveSamples();
    const { page } = await visit(browser, `${rootOf(address)}#/coads/SSS`);
    const alert = page.locator('main').getByRole('alert');
    expect(await alert.textContent()).toContain('NOT_FOUND');
    expect(await alert.textContent()).toContain('Select another one');
  },
);

test.skipIf(browser === undefined)(
  'an image of 40,000 x 40,000 pixels is shown from the coarsest sufficient level',
  async () => {
    const folder = folderOfTest('explorer');
    writePyramid(join(folder, 'image'));
    const { address } = await serveStores([join(folder, 'image')]);
    const { page, complaints } = await visit(browser, `${rootOf(address)}#/image`);
    let received = 0;
    page.on('response', (response) => {
      received += Number(response.headers()['content-length'] ?? 0);
    });
    await page.getByRole('link', { name: 'Open the image of 7 levels' }).click();
    await page.getByText(/Level \/[56];/).waitFor();
    // The whole image would be 1.6 GB.
    expect(received).toBeLessThan(8e6);
    const canvas = page.locator('.plane canvas');
    await canvas.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('+');
    await page.getByText(/Level \/[23];/).waitFor();
    await page.goto(`${rootOf(address)}#/image/0?span.x=0:400&span.y=0:400&mark=1&at.x=3&at.y=2`);
    await page.getByText('Every value is shown.').waitFor();
    expect((await valueOf(page)).text).toBe(String((2 * 625 + 3) % 251));
    expect(received).toBeLessThan(16e6);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)('a line of 10^8 points keeps its only peak', async () => {
  const folder = folderOfTest('explorer');
  writeLongLine(join(folder, 'long'));
  const { address } = await serveStores([join(folder, 'long')]);
  const { page, complaints } = await visit(browser, `${rootOf(address)}#/long`);
  await page.getByText('From 100 to 251.').waitFor();
  const count = Number(await page.locator('.line-box').getAttribute('data-points'));
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(5000);
  expect(complaints).toEqual([]);
});

test.skipIf(browser === undefined)('the start page lists jobs with their progress', async () => {
  const root = folderOfTest('jobs');
  const { address } = await serveStores([
    '--jobs',
    ...['--store', 'ocean=examples/data/ocean.zarr', '--store', `copy=${root}`, '--allow-write', 'copy'],
  ]);
  const client = createClient({ url: address });
  const source = { store: 'ocean', path: '/sst' };
  const job = await client.jobs.start({ kind: 'COPY', source, destination: { store: 'copy', path: '/sst' } });
  for await (const _ of client.jobs.watch(job.id));
  const { page, complaints } = await visit(browser, rootOf(address));
  const item = page.getByRole('region', { name: 'Jobs' }).getByRole('listitem');
  await expect.poll(() => item.textContent()).toBe('copy ocean/sst to copy/sst: succeeded');
  expect(complaints).toEqual([]);
});
