/** Runs the live example by its command: a program writes values, and a subscription notifies the page. */
import { afterAll, expect, test } from 'vitest';
import { startBrowser } from './chromium.js';
import { startExample } from './example-command.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
afterAll(() => browser?.close());

test.skipIf(browser === undefined)(
  'npm run example live',
  async () => {
    const url = await startExample('live');
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
