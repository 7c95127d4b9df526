import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';

test('stats prints the statistics of an array, and fails for a group', async () => {
  const { code, stdout, stderr } = await zarrql(['stats', `${coads}/SST`, '--decode']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ +/));
  expect(rows.slice(0, 4)).toEqual([
    ['count', '104778'],
    ['missing', '89622'],
    ['min', '-2.5999999046325684'],
    ['max', '33.15046310424805'],
  ]);
  expect(rows.map(([name]) => name)).toEqual([
    'count', 'missing', 'min', 'max', 'sum', 'mean', 'std', '2%', '25%', '50%', '75%', '98%',
  ]); // prettier-ignore
  expect((await zarrql(['stats', coads])).code).toBe(1);
});

test('stats prints infinities and dates as plain text', async () => {
  const root = folderOfTest('stats');
  const hierarchy = openHierarchy(createFilesystemStore({ label: 'f', root }));
  const create = async (path: string, dtype: string, values: unknown): Promise<void> => {
    const array = await hierarchy.createArray(path, { shape: [3], chunkShape: [3], dtype });
    await array.select().write(values);
  };
  await create('/floats', 'float64', [1, Infinity, 2]);
  await create('/days', '<M8[D]', ['2000-01-01', '2001-01-01', '2002-01-01']);
  const printed = async (name: string): Promise<string> => (await zarrql(['stats', join(root, name)])).stdout;
  expect(await printed('floats')).toContain('max      Infinity\nsum      Infinity\nmean     Infinity\nstd      NaN\n'); // prettier-ignore
  expect(await printed('days')).toContain('min      2000-01-01\nmax      2002-01-01\n');
});
