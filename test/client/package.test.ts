/** The package as a dashboard installs it: packed, installed without a network, run and type-checked. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../server/gateway.js';
import { folderStore } from './in-process.js';
import { listen } from './listen.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-client-'));
  // `prepack` builds.
  const { stdout } = await run('npm', ['pack', '-w', 'client', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  const packed = JSON.parse(stdout.slice(stdout.search(/[[{]/))) as Record<string, { filename: string }>;
  const [tarball] = Object.values(packed);
  await writeFile(join(folder, 'package.json'), '{ "name": "dashboard", "private": true, "type": "module" }');
  await run('npm', ['install', `./${tarball?.filename ?? ''}`, '--offline', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('brings nothing along, and no sources or tests', async () => {
  const installed = await readdir(join(folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['zarrql-client']);
  const files = await readdir(join(folder, 'node_modules/zarrql-client'), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/codegen/index.d.ts']),
  );
  expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name) || name.includes('test'))).toEqual([]);
});

test('needs no module of Node', async () => {
  const dist = join(folder, 'node_modules/zarrql-client/dist');
  const scripts = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  for (const script of scripts.filter((name) => !name.startsWith('codegen'))) {
    const text = await readFile(join(dist, script), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export) .*from '([^']+)'/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(imports.filter((name) => !name.startsWith('.'))).toEqual([]);
  }
});

test('runs against a gateway', async () => {
  const gateway = createGateway({ stores: [folderStore('coads', join(root, 'examples/data/coads.zarr'))] });
  const server = await listen((request) => gateway.fetch(request));
  await writeFile(
    join(folder, 'program.js'),
    `import { createClient, isZarrqlError } from 'zarrql-client';
     const client = createClient({ url: process.argv[2] });
     const sst = await client.store('coads').array('SST', { dtype: 'float32' }).slice('4, 57, 96:100');
     const error = await client.store('coads').array('none').info().catch((error) => error);
     console.log(JSON.stringify([sst.data.constructor.name, sst.get(2), isZarrqlError(error, 'NOT_FOUND')]));`,
  );
  try {
    const { stdout } = await run(process.execPath, ['program.js', server.url], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual(['Float32Array', 21.99945831298828, true]);
  } finally {
    server.close();
    await gateway.close();
  }
});

test.each([
  ['node16', ['--module', 'node16', '--moduleResolution', 'node16']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
])('its types hold with moduleResolution %s, library check on', async (name, flags) => {
  const program = `${name}.ts`;
  await writeFile(
    join(folder, program),
    `import { createClient } from 'zarrql-client';
     import type { NDArray } from 'zarrql-client';
     const array = createClient({ url: '/graphql' }).store('a').array('b');
     export const typed: NDArray<'float32'> = await array.slice('0', { dtype: 'float32' });
     export const data: Float32Array = typed.data;
     const any = await array.slice({ time: [0, 1] });
     if (any.is('int64')) any.data satisfies BigInt64Array;
     // @ts-expect-error not known to be float32
     export const wrong: Float32Array = any.data;`,
  );
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom'];
  // What tsc complains of stands in stdout: show it.
  const check = run(process.execPath, [tsc, ...strict, ...target, ...flags, program], { cwd: folder });
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
}); // prettier-ignore
