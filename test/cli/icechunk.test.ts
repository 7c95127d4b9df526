/** `zarrql icechunk`: creating repositories, their history, branches, tags and differences. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
import { defined } from '../../wire/guards.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { zarrql } from './running.js';

async function write(folder: string, message: string, values: readonly number[]): Promise<void> {
  const store = openStoreFromUrl('ice', `icechunk+file:${folder}`, { readonly: false });
  const session = await defined(store.versions?.writing).begin();
  const nodes = openHierarchy(session.store);
  await nodes.createArray(`/a${values.length}`, { shape: [2], dtype: 'int8' });
  await (await nodes.createArray('/a', { shape: [2], dtype: 'int8' }, { ifExists: 'keep' })).select('...').write(values); // prettier-ignore
  await session.commit(message);
  await store.close();
}

test('a repository is created, written, named and compared', async () => {
  const folder = join(folderOfTest('icechunk'), 'new/repository');
  const run = (command: string, ...args: readonly string[]) => zarrql(['icechunk', command, folder, ...args]);
  expect(await run('create', '--spec-version', '1')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run('create')).toMatchObject({ code: 1, stderr: expect.stringContaining('files exist at this address') }); // prettier-ignore
  await write(folder, 'first\u001b[31m', [1, 1]);
  const log = await run('log');
  expect(log.stdout).toMatch(/^[0-9A-Z]{20} {2}\S+ {2}first\\u\{1b\}\[31m\n[0-9A-Z]{20} {2}\S+ {2}Repository initialized\n$/); // prettier-ignore
  const id = log.stdout.slice(0, 20);
  expect(await run('tag', 'v1')).toEqual({ code: 0, stdout: `${id}\n`, stderr: '' });
  expect(await run('branch', 'dev', '--from', 'tag=v1')).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect((await run('branch')).stdout).toBe('dev\nmain\n');
  expect((await run('tag')).stdout).toBe('v1\n');
  expect(await run('diff', 'v1', 'main')).toEqual({ code: 0, stdout: '', stderr: '' });
  await write(folder, 'second', [1]);
  expect((await run('diff', 'v1')).stdout).toBe('~ /a  chunks: 1\n+ /a1\n');
  expect(JSON.parse((await run('diff', id, 'main', '--json')).stdout)).toMatchObject({ newArrays: ['/a1'] });
  expect(JSON.parse((await run('log', '-n', '1', '--json')).stdout)).toMatchObject([{ message: 'second', parent: id }]); // prettier-ignore
});

test('mistakes exit with 2, and failures with 1', async () => {
  const folder = join(folderOfTest('icechunk'), 'repository');
  await zarrql(['icechunk', 'create', folder]);
  const codeOf = async (...args: readonly string[]) => {
    const { code, stderr } = await zarrql(['icechunk', ...args]);
    expect(stderr, args.join(' ')).not.toBe('');
    return code;
  };
  expect(await codeOf('tag', folder, 'a/b')).toBe(2);
  expect(await codeOf('tag', folder, '--at', 'main')).toBe(2);
  expect(await codeOf('log', folder, 'nope')).toBe(2);
  expect(await codeOf('log', folder, '-n', '0')).toBe(2);
  expect(await codeOf('nope', folder)).toBe(2);
  expect(await codeOf('log', folder, 'tag=nope')).toBe(1);
  expect(await codeOf('log', join(folder, 'other'))).toBe(1);
  await zarrql(['icechunk', 'tag', folder, 'main']);
  expect(await codeOf('log', folder, 'main')).toBe(2);
  const help = await zarrql(['icechunk', '--help']);
  for (const command of ['create', 'log', 'branch', 'tag', 'diff'])
    expect(help.stdout).toContain(`  ${command} `);
});

test('the built program reads a repository of version 1, whose configuration names places of virtual chunks', async () => {
  const address = `icechunk+file:${join(fixtures, 'icechunk/virtual/repository')}`;
  expect(await zarrql(['get', `${address}/t`, '--select', '4:6'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('7'),
    stderr: '',
  });
  expect(await zarrql(['get', `${address}/t`, '--select', '0'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('below s3://bucket/archive/'),
  });
});
