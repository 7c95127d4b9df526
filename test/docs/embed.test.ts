/** docs/embed.md: each server runs with its framework, and the list has every option of `createGateway`. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
// @ts-expect-error a script without types
import { freePort } from '../../scripts/proxies.mjs';
import { installPackages } from '../clients/packages.js';
import { until } from '../http/serving.js';
import { codeBlocks, readText, root } from './format-samples.js';

const text = readText('docs/embed.md');
const installed = await installPackages('embed', {
  '@hono/node-server': '2.1.9',
  express: '5.3.0',
  fastify: '5.12.8',
  hono: '4.13.19',
});
/** A folder for this run, below the one with the packages: several clones test at once, each with its own zarrql. */
const folder = 'folder' in installed ? mkdtempSync(join(installed.folder, 'run-')) : '';
const started: { kill(): unknown }[] = [];
afterAll(() => {
  started.forEach((child) => child.kill());
  if (folder !== '') rmSync(folder, { recursive: true });
});

if (folder !== '') {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/zarrql'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { info, code } of codeBlocks(text)) {
    const [, file] = info.split(' ');
    if (file !== undefined) writeFileSync(join(folder, file), code);
  }
}

const query = '{ sst(time: { at: "2021-03" }, lat: { between: { from: -5, to: 5 } }) { mean { value } } }';
const expected = { data: { sst: { mean: { value: 28.066810607910156 } } } };
const link = '{ store(name: "ocean") { array(path: "lat") { slice { href(format: JSON) } } } }';

interface Reply {
  readonly data: { readonly store: { readonly array: { readonly slice: { readonly href: string } } } };
}

describe.skipIf(folder === '')('a gateway', () => {
  test.each(['hono', 'fastify', 'express'])('in %s answers by POST and GET, and serves links', async (name) => {
    const port: number = await freePort();
    const child = spawn(process.execPath, [join(folder, `${name}.js`)], { cwd: root, env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'inherit'] }); // prettier-ignore
    started.push(child);
    const url = `http://127.0.0.1:${port}`;
    const isReady = (): Promise<boolean> => fetch(`${url}/graphql?query={__typename}`).then(({ ok }) => ok, () => false); // prettier-ignore
    while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
    const headers = { 'content-type': 'application/json' };
    const posted = await fetch(`${url}/graphql/ocean`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(await posted.json()).toEqual(expected);
    const linked: Reply = await (await fetch(`${url}/graphql?query=${encodeURIComponent(link)}`)).json();
    const file = await fetch(new URL(linked.data.store.array.slice.href, url));
    expect((await file.json()).length).toBe(90);
    const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('GraphiQL');
    child.kill();
    await until(() => child.exitCode !== null || child.signalCode !== null);
  }); // prettier-ignore

  test('in a route of Next answers', async () => {
    const route: { POST(request: Request): Promise<Response> } = await import(join(folder, 'route.js'));
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/graphql/ocean', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    expect(await (await route.POST(request)).json()).toEqual(expected);
  });
});

test('the list has every option of createGateway', () => {
  const source = readText('server/gateway/options.ts');
  const [, body = ''] = /export interface GatewayConfig \{([^]*?)\n\}/.exec(source) ?? [];
  const names = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(12);
  const [, list = ''] = /^## Options\n([^]*?)^## /m.exec(text) ?? [];
  const listed = [...list.matchAll(/^- (`[^(]*`) \(/gm)].map(([, start]) => start).join();
  expect(names.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
});
