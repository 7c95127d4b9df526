import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFilesystemStore, get, openStoreFromUrl } from '../../server/zarr/index.js';
import { collect } from '../contracts/store-content.js';
import { zarrql } from './running.js';
import { folderOfSuite } from '../setup/temporary-folder.js';

const source = 'examples/data/coads.zarr';
const folder = folderOfSuite('cli-zip');

describe('zarrql zip', () => {
  test('an archive contains all objects of the store', async () => {
    const archive = join(folder, 'coads.zip');
    expect(await zarrql(['zip', source, archive])).toEqual({ code: 0, stdout: '', stderr: '' });
    const [from, to] = [
      createFilesystemStore({ label: 'from', root: source }),
      openStoreFromUrl('to', archive),
    ];
    const objects = await collect(from.walk(''));
    expect(await collect(to.walk(''))).toEqual(objects);
    for (const { key } of objects) expect((await get(to, key))?.bytes).toEqual((await get(from, key))?.bytes);
  });

  test('files that cannot be copied are an error', async () => {
    const holder = join(folder, 'links');
    await mkdir(join(holder, 'c'), { recursive: true });
    await writeFile(join(holder, 'zarr.json'), '{}');
    await writeFile(join(folder, 'elsewhere'), 'x');
    for (const target of [join(folder, 'elsewhere'), 'nothing', '0', '..']) {
      await symlink(target, join(holder, 'c', '0'));
      const archive = join(folder, 'links.zip');
      const { code, stderr } = await zarrql(['zip', holder, archive]);
      expect({ target, code }).toEqual({ target, code: 1 });
      expect(stderr).toContain('key "c/0"');
      await rm(join(holder, 'c', '0'));
    }
    expect(await readdir(folder)).not.toContain('links.zip');
  });

  test('existing archives, and stores that cannot be copied', async () => {
    await writeFile(join(folder, 'there.zip'), 'mine');
    expect(await zarrql(['zip', source, join(folder, 'there.zip')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await readFile(join(folder, 'there.zip'), 'utf8')).toBe('mine');
    expect((await zarrql(['zip', join(folder, 'none'), join(folder, 'x.zip')])).code).toBe(1);
    expect((await zarrql(['zip', 'http://127.0.0.1:9/x', join(folder, 'x.zip')])).stderr).toContain(
      'do not support listing',
    );
    expect(await readdir(folder)).not.toContain('x.zip');
  });
});
