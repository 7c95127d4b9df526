/**
 * The public API of zarrql-client according to its declarations. Every change shows in `client-api.txt` for review
 * (`npx vitest run test/types/api.test.ts -u`). Excludes code generated from the schema.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let folder: string;
let entries: readonly (readonly [subpath: string, file: string])[];
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/api-'));
  const flags = ['--emitDeclarationOnly', '--outDir', folder, '--removeComments'];
  await promisify(execFile)(process.execPath, [
    tsc,
    '-p',
    join(root, 'client/tsconfig.build.json'),
    ...flags,
  ]);
  const { exports } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8')) as {
    exports: Record<string, { types: string } | string>;
  };
  entries = Object.entries(exports).flatMap(([subpath, to]) =>
    typeof to === 'string' ? [] : [[subpath, join(folder, to.types.replace('./dist/', ''))] as const],
  );
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the declarations reachable from exports', async () => {
  const texts = new Map<string, string>();
  for (const [, file] of entries) await collect(file, texts);
  const files = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const report = [
    ...entries.map(([subpath, file]) => `zarrql-client${subpath.slice(1)} is ${relative(folder, file)}`),
    ...files.map(([file, text]) => `\n--- ${file}\n${text.trim()}`),
  ];
  await expect(`${report.join('\n')}\n`).toMatchFileSnapshot('client-api.txt');
});

/**
 * A file and the files that it imports or exports from. Their lines have the order of the compiler, which
 * is the order of the sources.
 */
async function collect(file: string, texts: Map<string, string>): Promise<void> {
  const name = relative(folder, file);
  if (texts.has(name) || name.startsWith('client/generated')) return;
  const text = await readFile(file, 'utf8');
  texts.set(name, text);
  for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
    await collect(join(dirname(file), specifier.replace(/\.js$/, '.d.ts')), texts);
}
