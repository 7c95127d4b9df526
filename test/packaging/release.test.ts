/** The archives of a release: types, entry points, licences and the bill of materials. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { installPackages } from '../clients/packages.js';
import { root } from '../docs/format-samples.js';
import { folderOfSuite } from '../setup/temporary-folder.js';

const run = promisify(execFile);
const folder = folderOfSuite('release');
const tools = await installPackages('publint', { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' });
const bin = 'folder' in tools ? join(tools.folder, 'node_modules/.bin') : undefined;
beforeAll(() =>
  run(process.execPath, ['scripts/release.mjs', 'pack', folder], { cwd: root, maxBuffer: 2 ** 26 }),
);

test('both packages and the bill of materials are packed', () => {
  expect(readdirSync(folder).toSorted()).toEqual([
    expect.stringMatching(/^zarrql-\d.*\.tgz$/),
    expect.stringMatching(/^zarrql-client-\d.*\.tgz$/),
    'zarrql.cdx.json',
  ]);
  const bill: { readonly components: readonly { readonly name: string }[] } = JSON.parse(
    readFileSync(join(folder, 'zarrql.cdx.json'), 'utf8'),
  );
  const names = bill.components.map(({ name }) => name);
  for (const name of ['graphql', 'undici', 'zod']) expect(names).toContain(name);
});

const archives = () => readdirSync(folder).filter((name) => name.endsWith('.tgz'));

test.skipIf(bin === undefined)('publint and attw find nothing', async () => {
  for (const name of archives()) {
    const archive = join(folder, name);
    const { stdout } = await run(join(bin ?? '', 'publint'), ['--strict', archive]);
    expect(stdout).toContain('All good!');
    // Rejects with exit status 1 if there is a problem. The schema has no types.
    await run(join(bin ?? '', 'attw'), [
      archive,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'schema.graphql',
      '--quiet',
    ]);
  }
});

test('both packages have one version, which the CHANGELOG names', () => {
  const versions = ['package.json', 'client/package.json'].map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).version); // prettier-ignore
  expect(new Set(versions).size).toBe(1);
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${versions[0]} (`);
});
