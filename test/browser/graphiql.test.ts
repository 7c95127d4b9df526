/** GraphiQL in a browser that can access only the gateway. */
import type { Page, Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { serveStores } from '../cli/running.js';
import { axeSource, startBrowser } from './chromium.js';
import { serveGated } from './gated-gateway.js';
import { samples, visit, type Visit } from './explorer-pages.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
afterAll(() => browser?.close());

/** Requests of the panel of stores have variables; the queries of these tests have none. */
function isOfPanel(request: Request): boolean {
  return request.postData()?.includes('"variables":{"') === true;
}

/** Presses the button and selects the operation if there are several. Returns the response as received and as shown. */
async function runQuery(
  { page }: Visit,
  operation?: string,
): Promise<{ readonly body: unknown; readonly shown: string }> {
  const button = page.locator('.graphiql-execute-button');
  await button.waitFor();
  const isQuery = (request: Request) =>
    request.method() === 'POST' && request.postData()?.includes('__schema') === false && !isOfPanel(request);
  const [response] = await Promise.all([
    page.waitForResponse((one) => isQuery(one.request())),
    button
      .click()
      .then(() =>
        operation === undefined ? undefined : page.getByRole('menuitem', { name: operation }).click(),
      ),
  ]);
  const body: unknown = await response.json();
  const result = page.locator('.graphiql-response');
  await result.getByText('"data"').first().waitFor();
  return { body, shown: await shownText(page) };
}

/** The shown response. The editor's no-break spaces are replaced by spaces. */
async function shownText(page: Page): Promise<string> {
  return (await page.locator('.graphiql-response').innerText()).replace(/\s+/g, ' ');
}

test.skipIf(browser === undefined)(
  'GraphiQL opens offline, and its first query lists the stores',
  async () => {
    const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
    const guest = await visit(browser, address);
    expect(await guest.page.title()).toBe('zarrql');
    const { body, shown } = await runQuery(guest, 'Stores');
    expect(body).not.toHaveProperty('errors');
    expect(body).toHaveProperty(
      'data.stores.nodes.0.search.nodes',
      expect.arrayContaining([
        { path: '/SST', kind: 'ARRAY', dtype: { name: 'float32' }, shape: [12, 90, 180] },
      ]),
    );
    expect(shown).toContain(
      '"path": "/AIRT", "kind": "ARRAY", "dtype": { "name": "float32" }, "shape": [ 12, 90, 180 ]',
    );
    expect(guest.outside).toEqual([]);
    expect(guest.complaints).toEqual([]);
    // The page's policy blocks requests and images to other addresses before they are sent.
    await guest.page.evaluate('fetch("https://example.org/x").catch(() => undefined)');
    await guest.page.evaluate(
      'new Promise((done) => { const image = new Image(); image.onerror = done; image.onload = done; image.src = "https://example.org/x.png"; })',
    );
    expect(guest.outside).toEqual([]);
    const refused = guest.complaints.filter((text) => text.includes('Content Security Policy'));
    expect(refused.some((text) => text.includes('connect-src'))).toBe(true);
    expect(refused.some((text) => text.includes('img-src'))).toBe(true);
  },
);

test.skipIf(browser === undefined)('a query in the address runs, and shows numbers', async () => {
  const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
  const query =
    '{ store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 40, 60:64" }) { values } } } }';
  const guest = await visit(browser, `${address}?query=${encodeURIComponent(query)}`);
  const { body, shown } = await runQuery(guest);
  const values = [28.791427612304688, 29.122499465942383, 28.69344711303711, 29.03708267211914];
  expect(body).toEqual({ data: { store: { array: { slice: { values } } } } });
  expect(shown).toContain(`"values": [ ${values.join(', ')} ]`);
  expect(guest.outside).toEqual([]);
  expect(guest.complaints).toEqual([]);
});

test.skipIf(browser === undefined)('the examples run on the configured stores', async () => {
  const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
  const guest = await visit(browser, address);
  // GraphiQL's JSON.parse fails on the missing value of this array; the gateway restores the browser's.
  const about = await runQuery(guest, 'Array');
  expect(about.body).toHaveProperty('data.store.array.attributes.missing_value', -9.999999790214768e33);
  expect(about.shown).toMatch(/^\{ "data": \{ "store": \{ "array": \{ "shape": \[ 12, 90, 180 \]/);
  const { body, shown } = await runQuery(guest, 'Values');
  expect(body).not.toHaveProperty('errors');
  expect(body).toHaveProperty('data.store.array.slice.shape', [4, 4]);
  expect(shown).toMatch(/"values": \[ \[ \d+\.\d+, /);
  expect(guest.complaints).toEqual([]);
});

test.skipIf(browser === undefined)('changes of a writable store are shown', async () => {
  const { address } = await serveStores(['--store', 'm=memory:', '--allow-write', 'm']);
  const guest = await visit(browser, address);
  const { page } = guest;
  const written = await runQuery(guest, 'Write');
  expect(written.shown).toContain('"values": [ [ 1, 2.5, "NaN" ], [ 0, 0, 0 ] ]');
  await page.locator('.graphiql-execute-button').click();
  await Promise.all([
    page.waitForResponse((one) => one.headers()['content-type']?.includes('event-stream') === true),
    page.getByRole('menuitem', { name: 'Changes' }).click(),
  ]);
  const change =
    'mutation { writeSlice(input: { store: "m", path: "example", select: { text: "1, :2" }, values: 9 }) { chunksWritten } }';
  await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: change }),
  });
  await page.locator('.graphiql-response').getByText('"kind": "DATA"').waitFor();
  expect(await shownText(page)).toContain(
    '"kind": "DATA", "path": "/example", "region": [ { "start": 1, "stop": 2 }, { "start": 0, "stop": 2 } ]',
  );
  expect(guest.complaints).toEqual([]);
});

test.skipIf(browser === undefined)('results in parts are shown as they arrive', async () => {
  const { address, open } = await serveGated();
  const valuesOf = (path: string, time: number) =>
    `... @defer { ${path}: store(name: "s") { array(path: "${path}") { slice(select: { text: "${time}, 0, 1:3" }) { values } } } }`;
  const query = `{ gateway { version } ${valuesOf('slow', 1)} ${valuesOf('fast', 2)} }`;
  const guest = await visit(browser, `${address}?query=${encodeURIComponent(query)}`);
  const { page } = guest;
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.headers()['content-type']?.startsWith('multipart/mixed') === true),
    page.locator('.graphiql-execute-button').click(),
  ]);
  expect(response.status()).toBe(200);
  const result = page.locator('.graphiql-response');
  await result.getByText('"fast"').waitFor();
  const [fast, slow] = [
    '"fast": { "array": { "slice": { "values": [ 201, 202 ] } } }',
    '"slow": { "array": { "slice": { "values": [ 101, 102 ] } } }',
  ];
  const before = await shownText(page);
  expect(before).toContain('"version"');
  expect(before).toContain(fast);
  expect(before).not.toContain('"slow"');
  open();
  await result.getByText('"slow"').waitFor();
  const after = await shownText(page);
  expect(after).toContain(fast);
  expect(after).toContain(slow);
  expect(after).not.toContain('errors');
  expect(guest.complaints).toEqual([]);
});

test.skipIf(browser === undefined)(
  'headers of the editor are sent, and descriptions of the schema are shown',
  async () => {
    const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
    const guest = await visit(browser, address);
    const { page } = guest;
    await page.locator('button[data-name="headers"]').click();
    await page.locator('.graphiql-editor-tool:not(.hidden) .monaco-editor').last().click();
    await page.keyboard.type('{ "Authorization": "Bearer secret"');
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.postData()?.includes('Stores') === true && !isOfPanel(one)),
      runQuery(guest, 'Stores'),
    ]);
    expect(request.headers()['authorization']).toBe('Bearer secret');
    await page
      .getByRole('button', { name: /Documentation/ })
      .first()
      .click();
    const docs = page.locator('.graphiql-doc-explorer');
    await docs.getByText('ZarrArray').first().click();
    await docs.getByText('codecs').first().waitFor();
    expect(await docs.innerText()).toContain('The codec chain in encoding order');
  },
);

test.skipIf(browser === undefined)(
  'the panel inserts names and labels of the stores into the query',
  async () => {
    const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
    const query = '{ store(name: "coads") { array(path: "/AIRT") { shape } } }';
    const guest = await visit(browser, `${address}?query=${encodeURIComponent(query)}`);
    const { page } = guest;
    const panel = page.getByRole('complementary', { name: 'Stores' });
    await panel.getByRole('button', { name: 'Open SST' }).click();
    await panel.getByLabel('Label along TIME').waitFor();
    const text = () =>
      page.evaluate<string>(
        "monaco.editor.getModels().find((model) => model.getLanguageId() === 'graphql').getValue()",
      );
    const moveTo = (word: string) =>
      page.evaluate(`(() => {
      const editor = monaco.editor.getEditors().find((each) => each.getModel().getLanguageId() === 'graphql');
      const found = editor.getModel().findMatches(${JSON.stringify(word)}, false, false, true, null, false)[0];
      editor.setPosition({ lineNumber: found.range.startLineNumber, column: found.range.startColumn + 2 });
    })()`);
    await page.locator('.graphiql-execute-button').waitFor();
    await moveTo('/AIRT');
    await panel.getByRole('button', { name: 'SST', exact: true }).click();
    expect(await text()).toContain('array(path: "/SST")');
    await panel.getByRole('button', { name: 'Add a query of these values' }).click();
    expect(await text()).toMatch(/query SST \{\n {2}store\(name: "coads"\) \{\n {4}dataset \{\n/);
    await moveTo('TIME", by');
    await panel.getByLabel('Label along COADSY').fill('9.4');
    await panel.getByTitle('Insert "COADSY"').click();
    expect(await text()).toContain('{ dim: "COADSY", by: { index: 0 } }');
    await moveTo('0 }');
    await page.evaluate(`(() => {
    const editor = monaco.editor.getEditors().find((each) => each.getModel().getLanguageId() === 'graphql');
    const { lineNumber, column } = editor.getPosition();
    editor.setPosition({ lineNumber, column: column - 1 });
  })()`);
    await panel
      .locator('p', { hasText: 'COADSY' })
      .getByRole('button', { name: 'Insert', exact: true })
      .click();
    expect(await text()).toContain('{ dim: "COADSY", by: { index: 9 } }');
    expect(guest.outside).toEqual([]);
    expect(guest.complaints).toEqual([]);
  },
);

test.skipIf(browser === undefined)(
  'the panel is dark with the system, and links to the explorer and to all stores',
  async () => {
    const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
    const context = await browser?.newContext({
      colorScheme: 'dark',
      viewport: { width: 1100, height: 700 },
    });
    const page = await context?.newPage();
    await page?.goto(`${address}/coads`);
    const panel = page?.locator('.zarrql-stores');
    const link = (name: string) => panel?.getByRole('link', { name }).getAttribute('href');
    expect([await link('Explorer'), await link('Schema of all stores')]).toEqual(['/#/coads', '/graphql']);
    const colour = await panel?.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(colour).toBe('rgb(33, 42, 59)');
    expect(await panel?.locator('.problem').count()).toBe(0);
    await panel?.getByRole('link', { name: 'Schema of all stores' }).click();
    await page?.getByText('Click a name to insert it').waitFor();
  },
);

test.skipIf(browser === undefined)(
  'a narrow window shows the response below the editor, and the panel as a bar',
  async () => {
    const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
    const context = await browser?.newContext({ viewport: { width: 390, height: 800 } });
    const page = await context?.newPage();
    await page?.goto(`${address}?query=${encodeURIComponent('{ stores { nodes { name } } }')}`);
    await page?.locator('.graphiql-execute-button').click();
    await page?.locator('.graphiql-response').getByText('"coads"').waitFor();
    const boxOf = async (name: string) => page?.locator(name).boundingBox();
    const [editor, response, panel] = await Promise.all(
      ['.graphiql-editors', '.graphiql-response', '.zarrql-stores'].map(boxOf),
    );
    expect(editor?.width).toBeGreaterThan(300);
    expect(response?.width).toBeGreaterThan(300);
    expect(response?.y).toBeGreaterThanOrEqual((editor?.y ?? 0) + (editor?.height ?? 0) - 1);
    expect(panel?.height).toBeLessThan(60);
    await page?.getByRole('button', { name: 'Stores' }).click();
    await page?.locator('.zarrql-stores').getByText('coads', { exact: true }).waitFor();
  },
);

test.skipIf(browser === undefined)('axe finds no fault in GraphiQL', async () => {
  const { address } = await serveStores(['--store', `coads=${samples}/coads.zarr`]);
  for (const [width, colorScheme] of [
    [1200, 'light'],
    [390, 'dark'],
  ] as const) {
    const context = await browser?.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context?.newPage();
    await page?.goto(address);
    await page?.locator('.graphiql-tab').first().waitFor();
    // A second tab, to which GraphiQL gives roles and states.
    await page?.getByRole('button', { name: 'New tab' }).click();
    await page?.locator('.graphiql-tab').nth(1).waitFor();
    await page?.evaluate(await axeSource());
    const findings = await page?.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    );
    expect(findings, `${width} pixels, ${colorScheme}`).toEqual([]);
  }
});
