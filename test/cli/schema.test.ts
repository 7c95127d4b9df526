import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, print } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { fullAccess } from '../../server/index.js';
import { sampleStores } from '../docs/format-samples.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { zarrql } from './running.js';

test('hints are sizes, chunks, and the first and last labels, and nothing else changes', async () => {
  const gateway = sampleStores();
  onTestFinished(() => gateway.close());
  const store = gateway.as(fullAccess).forStore('coads');
  const plain = await store.sdl();
  const { code, stdout } = await zarrql(['schema', 'examples/data/coads.zarr', '--hints']);
  expect(code).toBe(0);
  const fields = buildSchema(stdout).getQueryType()?.getFields();
  expect(fields?.['SST']?.description).toMatch(/; float32\. Shape 12 x 90 x 180, chunks [\dx ]+\.$/);
  expect(fields?.['COADSX']?.description).toMatch(/Shape 180, chunks 180\. From 21 to 379\.$/);
  expect(fields?.['TIME']?.description).toMatch(/From 0000-01-16T06:00:00 to 0000-12-16T01:20:06\.$/);
  const withoutHints = stdout.replaceAll(/ (?:A single value|Shape [\dx ]+, chunks [\dx ]+(?:\. From [^ ]+ to [^ ]+)?)\.$/gm, ''); // prettier-ignore
  const normal = (sdl: string): string => print(parse(sdl)).replaceAll(/"""\s*([^"]*?)\s*"""/g, '"""$1"""');
  expect(normal(withoutHints.replaceAll(/ (?:Shape [\dx ]+, chunks [\dx ]+(?:\. From [^ ]+ to [^ ]+)?)\."""/g, '"""'))).toBe(normal(plain)); // prettier-ignore
});

test('--diff lists what breaks clients, and --check the errors of documents and manifests', async () => {
  const folder = folderOfTest('schema');
  const store = 'examples/data/coads.zarr';
  const { stdout: sdl } = await zarrql(['schema', store]);
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [same, older] = [
    write('same.graphql', sdl),
    write('older.graphql', sdl.replace(/^ {2}AIRT\(/m, '  GONE(')),
  ];
  expect(await zarrql(['schema', store, '--diff', same])).toMatchObject({ code: 0, stdout: '' });
  expect(await zarrql(['schema', store, '--diff', older])).toMatchObject({ code: 1, stdout: 'Field Query.GONE was removed.\n', stderr: expect.stringContaining('that break clients: 1') }); // prettier-ignore
  write('valid.gql', '{ SST { shape } }');
  expect(await zarrql(['schema', store, '--check', `${folder}/*.gql`])).toMatchObject({
    code: 0,
    stdout: '',
  });
  const manifest = write(
    'manifest.json',
    JSON.stringify({ a: '{ SST { shape } }', b: '{ SSTX { shape } }' }),
  );
  const checked = await zarrql(['schema', store, '--check', manifest]);
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('errors: 1; files: 1') });
  expect(checked.stdout).toContain('manifest.json: b: line 1, column 3: Cannot query field "SSTX"');
});

test.each([
  [['schema', '--hints'], '--hints requires the path or URL of a store'],
  [
    ['schema', 'examples/data/coads.zarr', '--hints', '--diff', 'x'],
    '--hints is only for the printed schema',
  ],
])('%j is rejected', async (args, message) => {
  const { code, stderr } = await zarrql(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
