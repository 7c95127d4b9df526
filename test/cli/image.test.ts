/** `zarrql image` writes pictures and legends as files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { paletteOf } from '../../server/pictures/palette.js';
import { zarrql, zarrqlBytes } from './running.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const sst = 'examples/data/coads.zarr/SST';

function fileIn(name: string): string {
  return join(folderOfTest('image'), name);
}

function opened(bytes: Buffer): PNG {
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return PNG.sync.read(bytes);
}

test('a picture and its legend in files', async () => {
  const [picture, legend] = [fileIn('sst.png'), fileIn('legend.png')];
  const args = ['--select', '0', '--width', '90', '--range', '0,30', '--color-map', 'inferno'];
  const ended = await zarrql(['image', sst, ...args, '--output', picture, '--legend', legend]);
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  const { width, height, data } = opened(readFileSync(picture));
  expect([width, height]).toEqual([90, 45]);
  const inferno = new Set<string>(['0,0,0,0']);
  const palette = paletteOf({ name: 'inferno' });
  for (let i = 0; i < palette.length; i += 4) inferno.add(palette.subarray(i, i + 4).join());
  const colours = new Set<string>();
  for (let i = 0; i < data.length; i += 4) colours.add([...data.subarray(i, i + 4)].join());
  expect(colours.size).toBeGreaterThan(50);
  expect([...colours].filter((colour) => !inferno.has(colour))).toEqual([]);
  expect(opened(readFileSync(legend)).width).toBe(320);
});

test('the same picture on stdout, and of a mean', async () => {
  const args = ['--reduce', 'mean:TIME', '--height', '45', '--range', '0.1,30', '--log'];
  const file = fileIn('mean.png');
  await zarrql(['image', sst, ...args, '--output', file]);
  const bytes = await zarrqlBytes(['image', sst, ...args]);
  expect(bytes.equals(readFileSync(file))).toBe(true);
  expect(opened(bytes).height).toBe(45);
});

test('stored values of an array in a store of version 2', async () => {
  const { width, height } = opened(
    await zarrqlBytes(['image', 'examples/data/navy_winds_v2.zarr/UWND', '--select', '0']),
  );
  expect([width, height]).toEqual([144, 73]);
});

test.each([
  [[sst], 2, 'two dimensions'],
  [[sst, '--select', '0', '--range', '1'], 2, '--range'],
  [[sst, '--select', '0', '--range', '5,1'], 2, 'range'],
  [[sst, '--select', '0', '--range', '0,1', '--log'], 2, 'above 0'],
  [[sst, '--select', '0', '--color-map', 'rainbow'], 2, 'rainbow'],
  [[sst, '--select', '0', '--width', '0'], 2, 'width'],
  [[sst, '--select', '0', '--width', '5000'], 2, '4096'],
  [['examples/data/coads.zarr/NONE'], 1, 'NONE'],
])('%j fails', async (args, code, message) => {
  const ended = await zarrql(['image', ...args, '--output', fileIn('none.png')]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
  expect(ended.stderr).toContain(message);
});
