/** The examples of docs/sdk.md, type-checked and run in order against sample stores. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../server/gateway.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { folderStore } from '../client/in-process.js';
import { listen } from '../client/listen.js';
import { fullAccess } from '../../server/index.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let folder: string;
let program: string;
beforeAll(async () => {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'sdk-'));
  program = join(folder, 'program.ts');
  const text = await readFile(join(root, 'docs/sdk.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1] ?? '');
  const code = hoistImports(blocks.join('\n')).replace(
    /'zarrql-client(\/analysis)?'/g,
    "'../../client$1/index.js'",
  );
  const types = await readFile(join(root, 'test/types/generated/stores.ts'), 'utf8');
  await writeFile(
    join(folder, 'stores.gen.ts'),
    types.replace('../../../client/index.js', '../../client/index.js'),
  );
  await writeFile(program, code.replace("'http://127.0.0.1:4000/graphql'", "process.argv[2] ?? ''"));
});
/** Moves the imports of all examples to the top, without duplicates. */
function hoistImports(code: string): string {
  const lines = code.split('\n');
  const imports = new Set(lines.filter((line) => line.startsWith('import ')));
  return [...imports, ...lines.filter((line) => !imports.has(line))].join('\n');
}

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the examples run, and print the output in the comments', async () => {
  const gateway = createGateway({
    stores: [
      folderStore('coads', join(root, 'examples/data/coads.zarr')),
      { name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true },
    ],
  });
  const server = await listen((request) => gateway.fetch(request, fullAccess));
  try {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', program, server.url], { cwd: root });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      "[ 12, 90, 180 ] float32 [ 4, 45, 90 ]",
      "[ 'TIME', 'COADSY', 'COADSX' ]",
      'Deg C',
      'coads',
    ]); // prettier-ignore
    for (const expected of [
      '/UWND',
      '4n 64800n true',
      'degrees_north [ -1, 1 ]',
      '[ 10, 180 ] [ 10, 10 ]',
      "[ 'TIME', 'COADSY', 'COADSX' ]",
      'Deg C SEA SURFACE TEMPERATURE',
      '33.2',
      '[ 5, 6 ]',
      'NOT_FOUND',
      'true',
      "{ store: { kind: 'FILESYSTEM' } }",
      '[ 90, 180 ] [ 45, 90 ] [ 12 ] [ 12 ]',
      'true 2',
      '2',
    ])
      expect(lines).toContain(expected);
    // The missing value, and the aborted call.
    expect(lines.filter((line) => line === 'true')).toHaveLength(2);
    expect(lines).toContain('0');
    expect(lines).not.toContain('false');
  } finally {
    server.close();
    await gateway.close();
  }
});

test('the examples compile', async () => {
  const config = join(folder, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ extends: '../../tsconfig.json', include: [program], exclude: [] }));
  const check = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { cwd: root });
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
}); // prettier-ignore
