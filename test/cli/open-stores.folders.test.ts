/** Store folders at startup: created only if configured. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { folderOfTest } from '../setup/temporary-folder.js';

test('a missing folder is created only with filesystem.create', async () => {
  const folder = folderOfTest('folders');
  const url = join(folder, 'new', 'store');
  const open = (more: Record<string, unknown>) => {
    const config = parseConfig({ stores: [{ name: 's', url, writable: true, ...more }] });
    const logger = { info() {}, warn() {}, error() {} };
    return openStores(config, createMetrics(), logger, {});
  };
  await expect(open({})).rejects.toThrow(/folder does not exist.*filesystem\.create/s);
  await expect(open({ writable: false, filesystem: { create: true } })).rejects.toThrow(/does not exist/);
  expect(existsSync(url)).toBe(false);
  const {
    stores: [served],
  } = await open({ filesystem: { create: true } });
  expect(existsSync(url)).toBe(true);
  await rm(url, { recursive: true });
  await expect(served?.store.set('zarr.json', Buffer.from('x'))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  expect(existsSync(url)).toBe(false);
});

test('a file is not a valid store folder', async () => {
  const folder = folderOfTest('folders');
  const url = join(folder, 'notes.txt');
  await writeFile(url, 'x');
  const config = parseConfig({ stores: [{ name: 's', url }] });
  const logger = { info() {}, warn() {}, error() {} };
  await expect(openStores(config, createMetrics(), logger, {})).rejects.toThrow(
    /is a file; expected a folder/,
  );
});
