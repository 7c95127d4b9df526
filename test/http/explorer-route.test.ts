/** The explorer over HTTP: content negotiation, compression, caching and the content security policy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { readExplorerFiles, withoutGraphiql } from '../../server/http/explorer-files.js';
import { group, realGateway } from './real-gateway.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const stores = { hidden: { 'zarr.json': group({ secret: 'do not show' }) } };

async function start(more: object = {}): Promise<string> {
  const { url } = await realGateway(stores, {
    graphiql: true,
    gateway: { graphiql: {} },
    explorer: true,
    ...more,
  });
  return new URL('/', url).href;
}

test('browsers get the page, other clients are redirected to the endpoint', async () => {
  const root = await start();
  const page = await fetch(root, { headers: html });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('vary')).toContain('Accept');
  for (const accept of ['*/*', 'application/json', 'text/*', '']) {
    const response = await fetch(root, { headers: { accept }, redirect: 'manual' });
    expect([response.status, response.headers.get('location')], accept).toEqual([302, 'graphql']);
  }
  const off = await start({ explorer: false });
  expect((await fetch(off, { headers: html, redirect: 'manual' })).status).toBe(302);
});

test('assets are compressed, immutable, and smaller than 200 kB together', async () => {
  const root = await start();
  const text = await (await fetch(root, { headers: html })).text();
  const names = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(2);
  let total = 0;
  for (const name of names) {
    const response = await fetch(new URL(name, root), { headers: { 'accept-encoding': 'gzip' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('cache-control')).toContain('immutable');
    total += Number(response.headers.get('content-length'));
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(new URL(name, root), {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  }
  expect(total).toBeLessThan(200_000);
  for (const name of ['assets/', 'assets/x.js', 'assets/..%2findex.html', 'assets/index.html'])
    expect((await fetch(new URL(name, root))).status, name).not.toBe(200);
});

test('neither external nor inline scripts may run', async () => {
  const root = await start();
  const response = await fetch(root, { headers: html });
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  expect(await response.text()).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/);
});

test('with authentication the page is the same, and does not reveal the stores', async () => {
  const sha256 = createHash('sha256').update('secret').digest('hex');
  const { auth } = parseConfig({
    auth: { roles: { all: { read: ['*'] } }, tokens: [{ name: 'a', sha256, roles: ['all'] }] },
  });
  const [open, closed] = await Promise.all(
    [await start(), await start({ auth })].map(async (root) => (await fetch(root, { headers: html })).text()),
  );
  expect(closed).toBe(open);
  expect(closed).not.toContain('hidden');
});

test('the page is charged to the budget of its client', async () => {
  const root = await start({ maxClientCost: 2 });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(root, { headers: html })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('files are read from a folder; without it the page does not exist', () => {
  const folder = folderOfTest('explorer');
  expect(readExplorerFiles(folder)).toBeUndefined();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<meta name="graphiql" content="on" />');
  writeFileSync(join(folder, 'assets/a-1.js'), 'x');
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync('x'));
  writeFileSync(join(folder, 'assets/readme.txt'), 'x');
  const files = readExplorerFiles(folder);
  expect([...(files?.assets.keys() ?? [])]).toEqual(['a-1.js']);
  expect(files?.assets.get('a-1.js')?.br?.length).toBeGreaterThan(0);
  expect(files && withoutGraphiql(files.page).plain.toString()).toContain('content="off"');
});
