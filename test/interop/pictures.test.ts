/** pngjs, Pillow and Chromium read the same pixels from every kind of PNG file of the gateway. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { startBrowser } from '../browser/chromium.js';
import { sampleStores } from '../docs/format-samples.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const python = await findPython('pictures');
const folder = await temporaryFolder();
const samples = sampleStores();
afterAll(async () => {
  await samples.close();
  await folder.remove();
});

async function ownGateway(): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const values = Array.from({ length: 256 }, (_, i) => i);
  const attributes = {
    flag_values: values,
    flag_meanings: values.map((i) => `kind_${i}`).join(' '),
    flag_colors: values.map((i) => `#${(i * 65_793).toString(16).padStart(6, '0')}`).join(' '),
  };
  await put('flags/zarr.json', arrayDocument('uint8', [16, 17], { attributes }));
  await store.set(
    'flags/c/0/0',
    Uint8Array.from({ length: 272 }, (_, i) => i % 256),
  );
  // 256 colours and missing values: more than a palette holds.
  await put('ramp/zarr.json', arrayDocument('float32', [17, 16], { fill_value: 'NaN' }));
  await store.set('ramp/c/0/0', Buffer.from(Float32Array.from({ length: 272 }, (_, i) => (i < 256 ? i + 0.5 : NaN)).buffer)); // prettier-ignore
  await put('rgb/zarr.json', arrayDocument('uint8', [5, 7, 3]));
  await store.set(
    'rgb/c/0/0/0',
    Uint8Array.from({ length: 105 }, (_, i) => (i * 37) % 256),
  );
  await put('one/zarr.json', arrayDocument('float32', [1, 1]));
  return createGateway({ stores: [{ name: 'm', store }] });
}

const SST = 'store(name: "coads") { dataset { variable(name: "SST") { slice(select: { text: "0" })';
const RELIEF = 'store(name: "etopo20") { dataset { variable(name: "relief") { slice';
const RANGE = 'range: { min: 0, max: 30 }';

/** Name, whether it uses the sample stores, query, and the position of a tile. */
const pictures: readonly (readonly [name: string, isSample: boolean, query: string, tilePath?: string])[] = [
  ['missing', true, `{ ${SST} { image(${RANGE}) { href } } } } } }`],
  ['large', true, `{ ${SST} { image(${RANGE}, width: 4096, height: 4096) { href } } } } } }`],
  ['legend', true, `{ ${SST} { image(${RANGE}) { legend { href } } } } } } }`],
  ['relief', true, `{ ${RELIEF} { image(range: { min: -6000, max: 6000 }) { href } } } } } }`],
  ['tile', true, `{ ${RELIEF} { tiles(range: { min: -6000, max: 6000 }) { template } } } } } }`, '2/2/1'],
  ['tile2x', true, `{ ${RELIEF} { tiles(range: { min: -6000, max: 6000 }) { template } } } } } }`, '1/0/0@2x'],
  ['flags', false, '{ store(name: "m") { array(path: "flags") { slice { image { href } } } } }'],
  ['flags-legend', false, '{ store(name: "m") { array(path: "flags") { slice { image { legend { href } } } } } }'],
  ['ramp', false, '{ store(name: "m") { array(path: "ramp") { slice { image(range: { min: 0, max: 256 }) { href } } } } }'],
  ['rgb', false, '{ store(name: "m") { array(path: "rgb") { slice { image { href } } } } }'],
  ['one', false, `{ store(name: "m") { array(path: "one") { slice { image(${RANGE}) { href } } } } }`],
]; // prettier-ignore

async function draw(
  gateway: Gateway,
  query: string,
  tilePath: string | undefined,
): Promise<Buffer<ArrayBuffer>> {
  const { text, errors } = await execute(gateway, query);
  expect(errors).toEqual([]);
  const [, link = ''] = /"(?:href|template)":"([^"]+)"/.exec(text) ?? [];
  const href = link.replace('{z}/{x}/{y}', tilePath ?? '');
  const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  return Buffer.from(await response.arrayBuffer());
}

function digest(pixels: Uint8Array): string {
  return createHash('sha256').update(pixels).digest('hex');
}

const files = await (async () => {
  const own = await ownGateway();
  const drawn = [];
  for (const [name, isSample, query, tilePath] of pictures) {
    const bytes = await draw(isSample ? samples : own, query, tilePath);
    const { width, height, data } = PNG.sync.read(bytes);
    drawn.push({ name, bytes, width, height, data });
  }
  return drawn;
})();

test('pictures of up to 256 colours have a palette, others do not', () => {
  const byName = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes[25]]));
  expect(byName).toMatchObject({ relief: 3, legend: 3, tile: 3, one: 3, ramp: 6, rgb: 6 });
});

test.skipIf('missing' in python)('Pillow reads the same pixels', async () => {
  const paths = files.map(({ name }) => join(folder.path, `${name}.png`));
  await Promise.all(files.map(({ bytes }, i) => writeFile(paths[i] ?? '', bytes)));
  const { stdout } = await runScript('command' in python ? python.command : '', 'open_pictures.py', paths);
  const decoded: unknown = JSON.parse(stdout);
  expect(decoded).toEqual(
    files.map(({ bytes, width, height, data }) => [width, height, bytes[25] === 3 ? 'P' : 'RGBA', digest(data)]),
  );
}); // prettier-ignore

/** A checksum function that also runs in the page. */
function mixed(data: ArrayLike<number>): number {
  let sum = 7;
  for (let i = 0; i < data.length; i++) sum = Math.imul(sum ^ (data[i] ?? 0), 16_777_619);
  return sum;
}

test('Chromium reads the same pixels', async ({ skip }) => {
  const found = await startBrowser();
  if ('missing' in found) return skip(found.missing);
  const page = await found.browser.newPage();
  try {
    for (const { name, bytes, width, height, data } of files) {
      const url = `data:image/png;base64,${bytes.toString('base64')}`;
      const pixels: unknown = await page.evaluate(`(async () => {
        const bitmap = await createImageBitmap(await (await fetch(${JSON.stringify(url)})).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
        const hash = (${mixed.toString()})(data);
        return [bitmap.width, bitmap.height, hash];
      })()`);
      expect([name, pixels]).toEqual([name, [width, height, mixed(data)]]);
    }
  } finally {
    await found.browser.close();
  }
}, 60_000);
