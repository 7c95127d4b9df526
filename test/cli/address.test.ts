/** Addresses of nodes in references: where the file ends and the path of the node begins. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressLevels } from '../../server/cli/address.js';
import { zarrql } from './running.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const sets = join(fixtures, 'references/sets');

test.each([
  ['kerchunk_day.json/air?prefix=./', 'kerchunk_day.json?prefix=./', '/air'],
  ['kerchunk_day.json', 'kerchunk_day.json', '/'],
  ['kerchunk_h5py.json/inner/bool', 'kerchunk_h5py.json', '/inner/bool'],
  ['dataframe.parq/air', 'dataframe.parq', '/air'],
  ['none.json/air', 'none.json/air', '/'],
])('%s', (address, store, path) => {
  const [level] = addressLevels(`references+file:${join(sets, address)}`);
  expect(level).toMatchObject({ url: `references+file:${join(sets, store)}`, path });
});

test('each part of a path in an archive, or on a server, may be that of the references', () => {
  const archive = join(folderOfTest('address'), 'a.zip');
  writeFileSync(archive, '');
  const pathsOf = (address: string): string[] =>
    addressLevels(address).map(({ url, path }) => `${url} ${path}`);
  const local = `references+file:${archive}`;
  expect(pathsOf(`${local}/b.json/c?prefix=./`)).toEqual([
    `${local}/b.json/c?prefix=./ /`,
    `${local}/b.json?prefix=./ /c`,
    `${local}?prefix=./ /b.json/c`,
  ]);
  const remote = 'references+s3://bucket/a.zip';
  expect(pathsOf(`${remote}/b.json/c?region=x`)).toEqual([
    `${remote}/b.json/c?region=x /`,
    `${remote}/b.json?region=x /c`,
    `${remote}?region=x /b.json/c`,
    'references+s3://bucket?region=x /a.zip/b.json/c',
  ]);
});

test('commands read values, list nodes and say which prefix is missing', async () => {
  const folder = folderOfTest('refs');
  cpSync(sets, folder, { recursive: true });
  const address = `references+file:${join(folder, 'kerchunk_day.json')}`;
  const got = await zarrql(['get', `${address}/lat?prefix=./`]);
  expect(got).toMatchObject({ code: 0, stdout: '[-45,-15,15,45]\n' });
  const listed = await zarrql(['inspect', address]);
  expect(listed.stdout).toMatch(/Zarr v2, consolidated[^]*air {2}int16 \[time 4, lat 4, lon 6\]/);
  const refused = await zarrql(['get', `${address}/lat`]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/below file:\S*\/data\/.*\?prefix=/),
  });
});
