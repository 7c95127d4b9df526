/** `zarrql open`, and stores without a name. */
import { expect, test } from 'vitest';
import { namedStores, storeNameOf } from '../../server/cli/named-stores.js';
import { serveStores, startProgram, zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';

test.each([
  ['/data/sst.zarr', 'sst'],
  ['/data/sst.zarr/', 'sst'],
  ['sst.zarr.zip', 'sst'],
  ['https://example.org/a/sst.zarr?token=secret/x', 'sst'],
  ['s3://bucket/a b/été 1.zarr', '_t_1'],
  ['file:///data/x', 'x'],
  ['memory:', 'memory'],
  ['.', 'store'],
  ['/', 'store'],
  ['..hidden', 'hidden'],
])('the store at %s is named %s', (address, name) => {
  expect(storeNameOf(address)).toBe(name);
});

test('a number is added to duplicate names', () => {
  expect(namedStores(['a/x.zarr', 'b/x.zarr'], ['x=/other'])).toEqual(['x-2=a/x.zarr', 'x-3=b/x.zarr']);
});

test('serve accepts a folder', async () => {
  const { address } = await serveStores([coads]);
  const response = await fetch(`${address}?query=${encodeURIComponent('{ stores { nodes { name } } }')}`);
  expect(await response.json()).toEqual({ data: { stores: { nodes: [{ name: 'coads' }] } } });
});

test.each([
  [coads, '#/coads'],
  [`${coads}/SST`, '#/coads/SST'],
])('open %s prints the address of its page', async (address, fragment) => {
  const { address: page } = await startProgram(['open', address]);
  expect(page).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${fragment}$`));
  const response = await fetch(page, { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-type')).toContain('text/html');
});

test('open reports a missing argument', async () => {
  const { code, stderr, stdout } = await zarrql(['open', 'nowhere.zarr']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('nowhere.zarr');
});
