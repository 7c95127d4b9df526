/** The documentation site: it builds without dead links, loads nothing from elsewhere, finds, and is accessible. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, sampleStores } from '../docs/format-samples.js';
import { axeSource, startBrowser } from './chromium.js';
import { servePage } from './page-server.js';

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
const gateway = sampleStores();
afterAll(async () => {
  await browser?.close();
  await gateway.close();
});

beforeAll(async () => {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  await promisify(execFile)(
    process.execPath,
    [tsx, '--conditions=zarrql-source', 'scripts/docs.mjs', '--build'],
    { cwd: root, maxBuffer: 2 ** 26 },
  );
}, 300_000);

test.skipIf(browser === undefined)(
  'pages are accessible and complete, and the search finds one',
  async () => {
    const server = await servePage(join(root, 'site/dist'), gateway);
    const page = await browser?.newPage();
    const outside: string[] = [];
    page?.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
        outside.push(request.url());
    });
    const axe = await axeSource();
    try {
      const light = ['index', 'tutorial', 'deploy', 'reference/schema', 'formats'] as const;
      const dark = ['index', 'graphql', 'operations'] as const;
      const visits = [
        ...light.map((path) => ({ path, colorScheme: 'light' as const, width: 1280 })),
        ...dark.map((path) => ({ path, colorScheme: 'dark' as const, width: 390 })),
        { path: 'graphql', colorScheme: 'dark' as const, width: 1280 },
      ];
      for (const { path, colorScheme, width } of visits) {
        await page?.emulateMedia({ colorScheme });
        await page?.setViewportSize({ width, height: 850 });
        await page?.goto(new URL(`${path}.html`, server.url).href);
        await page?.locator('h1').first().waitFor();
        await page?.evaluate(axe);
        // The label of the search button is VitePress's.
        const findings = await page?.evaluate(
          "axe.run({ rules: { 'label-content-name-mismatch': { enabled: false } } }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
        );
        expect(findings, `${path}, ${colorScheme}, ${width} pixels`).toEqual([]);
      }
      await page?.setViewportSize({ width: 1280, height: 850 });
      await page?.goto(new URL('formats.html', server.url).href);
      // Results and tables that the Markdown does not contain.
      expect(await page?.locator('table').count()).toBeGreaterThan(2);
      await page?.getByRole('button', { name: 'Search' }).click();
      // The dialog loads after the click.
      await page?.locator('.search-input').fill('requestMemoryBytes');
      await page?.locator('.result').first().waitFor();
      expect(outside).toEqual([]);
    } finally {
      server.close();
    }
  },
  120_000,
);
