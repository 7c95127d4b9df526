/** Runs the live example by its command: a program writes values, and a subscription notifies the page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { startBrowser } from './chromium.js';

const root = join(import.meta.dirname, '../..');
const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
let example: ChildProcess | undefined;
afterAll(async () => {
  await browser?.close();
  example?.kill('SIGTERM');
});

test.skipIf(browser === undefined)(
  'npm run example live',
  async () => {
    example = spawn(process.execPath, [join(root, 'scripts/example.mjs'), 'live'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await addressOf(example);
    const page = await browser?.newPage();
    const complaints: string[] = [];
    page?.on('pageerror', (error) => complaints.push(error.message));
    page?.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page?.goto(url);
    const values = page?.locator('output');
    await values?.first().waitFor();
    const before = await values?.allTextContents();
    expect(before).toHaveLength(3);
    await expect.poll(() => values?.allTextContents(), { timeout: 20_000 }).not.toEqual(before);
    expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
  },
  90_000,
);

/** Removes the colours that Vite prints. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the example has no output');
  for await (const line of createInterface({ input: stdout })) {
    // oxlint-disable-next-line no-control-regex
    const [url] = /http:\/\/localhost:\d+\//.exec(line.replace(/\u001b\[\d+m/g, '')) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the example printed no address');
}
