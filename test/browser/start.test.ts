/**
 * Runs `npm start` like a new user: the page at the printed address shows the stores and a picture of the
 * first array.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { startBrowser } from './chromium.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
let started: ChildProcess | undefined;
afterAll(async () => {
  await browser?.close();
  started?.kill('SIGTERM');
});

test.skipIf(browser === undefined)('the page at the printed address shows the sample stores', async () => {
  const program = join(import.meta.dirname, '../../scripts/start.mjs');
  started = spawn(process.execPath, [program, '--port', '0', '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const page = await browser?.newPage();
  const complaints: string[] = [];
  page?.on('pageerror', (error) => complaints.push(error.message));
  page?.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page?.goto(await explorerOf(started));
  const list = page?.getByRole('navigation', { name: 'Stores' });
  for (const name of ['coads', 'etopo20', 'navy_winds'])
    await list?.getByRole('link', { name, exact: true }).waitFor();
  await list?.getByRole('link', { name: 'SST', exact: true }).click();
  await page?.getByText('Each value is drawn.').waitFor();
  // With only two colours, the picture would consist of land and axes.
  const colours = await page?.evaluate<number>(`(() => {
    const canvas = document.querySelector('.plane canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`);
  expect(colours).toBeGreaterThan(50);
  expect(complaints).toEqual([]);
});

async function explorerOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('npm start has no output');
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^Explorer:\s+(\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('npm start printed no address of the explorer');
}
