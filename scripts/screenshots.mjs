// `npm run screenshots`: creates the pictures of README and docs/pictures.md from the sample stores. Pictures of the
// explorer require the browser of the tests.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { build } from './build.mjs';
import { drawPictures } from './docs-pictures.mjs';

const root = dirname(import.meta.dirname);
const folder = join(root, 'docs/images');

/** @type {Record<string, { fragment: string, width: number, height: number }>} */
const pictures = {
  explorer: {
    fragment: '#/ocean/sst?select=time=#6,lat=#44,lon=#79&mark=1&palette=turbo',
    width: 1180,
    height: 760,
  },
};

await build({ ifStale: true });
const { startBrowser } = await import('../test/browser/chromium.ts');
const found = await startBrowser();
if ('missing' in found) throw new Error(found.missing);
// The explorer lists the first three; the others have pictures in docs/pictures.md.
const stores = {
  ocean: 'ocean',
  winds: 'winds',
  relief: 'relief',
  coads: 'coads',
  navy_winds: 'navy_winds_v2',
  etopo20: 'etopo20_sharded',
};
const addresses = Object.entries(stores).flatMap(([name, store]) => [
  '--store',
  `${name}=${join(root, 'examples/data', `${store}.zarr`)}`,
]);
const server = spawn(
  process.execPath,
  [join(root, 'dist/server/cli.js'), 'serve', '--port', '0', ...addresses],
  {
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
const [endpoint] = await once(createInterface({ input: server.stdout }), 'line');
mkdirSync(folder, { recursive: true });
await drawPictures(endpoint, folder);
for (const [name, { fragment, width, height }] of Object.entries(pictures)) {
  const context = await found.browser.newContext({ viewport: { width, height }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(new URL('/', endpoint).href + fragment);
  await page.locator('.statistics dl').waitFor();
  await page.waitForLoadState('networkidle');
  // A third of the size of PNG.
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  console.log(`docs/images/${name}.webp`);
}
await found.browser.close();
server.kill('SIGINT');
