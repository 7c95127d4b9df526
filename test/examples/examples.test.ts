/** The examples: a service, and two dashboards built with Vite and opened in a browser. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../browser/chromium.js';
import { servePage } from '../browser/page-server.js';
import { listen } from '../client/listen.js';
import { root, sampleStores } from '../docs/samples.js';
import { fullAccess } from '../../server/index.js';

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

test('a service', async () => {
  const { url, close } = await listen((request) => gateway.fetch(request, fullAccess));
  const child = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', join(examples, 'service/service.ts')],
    { cwd: root, env: { ...process.env, GATEWAY: url, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const port = await new Promise<string>((resolve) => {
      child.stdout.on('data', (text: Buffer) => resolve(/port: (\d+)/.exec(String(text))?.[1] ?? ''));
    });
    const ask = (query: string) => fetch(`http://127.0.0.1:${port}/?${query}`);
    const answer = (await (await ask('month=3&south=-10&north=10')).json()) as { mean: number };
    expect(answer.mean).toBeCloseTo(27.6, 0);
    const [first, january] = await Promise.all(
      ['', 'month=1&south=-90&north=90'].map(async (query) => (await ask(query)).text()),
    );
    expect(first).toBe(january);
    expect(first).not.toBe('{"mean":null}');
    expect((await ask('month=13')).status).toBe(400);
  } finally {
    child.kill();
    close();
  }
});

test('they compile, and the generated store types are up to date', async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const check = promisify(execFile)(process.execPath, [tsc, '-p', join(examples, 'tsconfig.json')]);
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
  const golden = await readFile(join(root, 'test/types/generated/stores.ts'), 'utf8');
  const types = await readFile(join(examples, 'stores.gen.ts'), 'utf8');
  expect(types.replace(/\s+|;/g, '')).toBe(golden.replace('../../../client/index.js', 'zarrql-client').replace(/\s+|;/g, ''));
}, 60_000); // prettier-ignore

test.skipIf(browser === undefined).each(['dashboard-tanstack', 'dashboard-urql'])(
  '%s shows a month, and the next one',
  async (name) => {
    const outDir = join(folder, name);
    const config = { configFile: join(examples, name, 'vite.config.ts'), build: { outDir } } as const;
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
    await build({ root, logLevel: 'error', configFile: join(root, 'vite.config.ts'), build: { outDir } });
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
