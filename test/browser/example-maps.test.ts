/** The examples with maps, by their command: tiles come from the address of the page. */
import { expect, test } from 'vitest';
import { startBrowser } from './chromium.js';
import { startExample } from './example-command.js';

test.each(['maplibre', 'openlayers'])(
  'npm run example %s',
  async (name) => {
    // Each page has a separate browser, because a single-process browser exits with its page.
    const found = await startBrowser({ graphics: true });
    if ('missing' in found) return;
    const url = await startExample(name);
    const page = await found.browser.newPage({ viewport: { width: 700, height: 500 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const tiles = new Set<string>();
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url());
      if (pathname.endsWith('.png') && pathname.startsWith('/tiles/'))
        tiles.add(`${response.status()} ${origin}/`);
    });
    try {
      await page.goto(url);
      await page.waitForFunction("document.querySelector('#legend').naturalWidth >= 320");
      await expect.poll(() => [...tiles], { timeout: 20_000 }).toEqual([`200 ${url}`]);
      expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
    } finally {
      await found.browser.close();
    }
  },
  90_000,
);
