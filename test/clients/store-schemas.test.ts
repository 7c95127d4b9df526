/** Generators on the schemas of stores, configured as in docs/clients/store-schemas.md, for each language. */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../server/zarr/index.js';
import { listen } from '../client/listen.js';
import { root, sampleStores } from '../docs/format-samples.js';
import { findPython } from '../interop/python.js';
import { oddStore } from '../typed/odd-store.js';
import { install } from './packages.js';
import { blocksOf, generate, workFolder } from './pages.js';

const run = promisify(execFile);
const gateway = sampleStores();
const coads = gateway.as(fullAccess).forStore('coads');
const server = await listen((request) => gateway.fetch(request, fullAccess));
afterAll(async () => {
  server.close();
  await gateway.close();
});

const page = 'store-schemas.md';
const document = blocksOf(page, 'graphql').join('');
const address = 'http://127.0.0.1:4000/graphql';
const at = (code: string): string => code.replaceAll(address, server.url);
const node = (args: readonly string[], cwd: string) =>
  run(process.execPath, args, { cwd, maxBuffer: 2 ** 24 });

test('TypeScript: the SDK sends a generated document', { timeout: 120_000 }, async () => {
  const [program = ''] = blocksOf(page, 'ts');
  const folder = workFolder({
    'coads.graphql': await coads.sdl(),
    'codegen.yml': blocksOf(page, 'yaml')[0] ?? '',
    'src/sst.graphql': document,
    'src/main.ts': at(program),
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, exactOptionalPropertyTypes: true, module: 'nodenext', target: 'es2023', skipLibCheck: true, noEmit: true, types: ['node'], paths: { 'zarrql-client': [join(root, 'client/index.ts')] } },
      include: ['src'],
    }), // prettier-ignore
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await generate(folder);
  const { stdout } = await node([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder).catch((error: { stdout: string }) => error); // prettier-ignore
  expect(stdout).toBe('');
  expect(readFileSync(join(folder, 'src/coads.ts'), 'utf8')).toContain('SstDocument');
});

test('Python: ariadne-codegen', { timeout: 300_000 }, async (context) => {
  const python = await findPython('clients');
  if ('missing' in python) return context.skip(python.missing);
  const folder = workFolder({
    'pyproject.toml': blocksOf(page, 'toml').join(''),
    'queries.graphql': document,
    'coads.graphql': await coads.sdl(),
  });
  await run(join(python.command, '../ariadne-codegen'), [], { cwd: folder });
  const code = at(blocksOf(page, 'python').join(''));
  expect((await run(python.command, ['-c', code], { cwd: folder })).stdout.trim()).toBe('28.05');
});

const goModule = `module example.org/coads

go 1.26.0

require (
	github.com/Khan/genqlient v0.8.1
	github.com/vektah/gqlparser/v2 v2.5.64
	golang.org/x/tools v0.52.0
)
`;

const goProgram = (body: string): string => `package main

import (
	"context"
	"fmt"
	"net/http"

	coads "example.org/coads"
	"github.com/Khan/genqlient/graphql"
)

func main() {
	${body.replace('result, err :=', 'result, err :=')}
	if err != nil {
		panic(err)
	}
}
`;

test('Go: genqlient', { timeout: 600_000 }, async (context) => {
  const build = ['go', 'build', '-mod=mod', '-o', 'genqlient', 'github.com/Khan/genqlient'] as const;
  const tool = await install('genqlient', { 'go.mod': goModule.replace('example.org/coads', 'example.org/zarrql') }, build); // prettier-ignore
  if ('missing' in tool) return context.skip(tool.missing);
  const folder = workFolder({
    'coads.graphql': await coads.sdl(),
    'genqlient.yaml': blocksOf(page, 'yaml')[1] ?? '',
    'queries.graphql': document,
    'main/main.go': goProgram(at(blocksOf(page, 'go').join(''))),
  });
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(tool.folder, file), join(folder, file));
  const manifest = readFileSync(join(folder, 'go.mod'), 'utf8');
  writeFileSync(join(folder, 'go.mod'), manifest.replace('example.org/zarrql', 'example.org/coads'));
  await run(join(tool.folder, 'genqlient'), [], { cwd: folder });
  const { stdout } = await run('go', ['run', '-mod=mod', './main'], { cwd: folder, maxBuffer: 2 ** 24 });
  expect(stdout.trim()).toBe('28.05');
});

async function manyVariables(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'many' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (let i = 0; i < 300; i++) await hierarchy.createArray(`v${i}`, { shape: [2, 2], dtype: 'float32', dimensionNames: [`x${i % 80}`, 'y'] }); // prettier-ignore
  for (let i = 0; i < 100; i++) {
    await hierarchy.createGroup(`g${i}`);
    await hierarchy.createArray(`g${i}/a${i}`, { shape: [2], dtype: 'int64', dimensionNames: ['z'] });
  }
  return store;
}

test.each<[string, () => Promise<KeyStore>, string]>([
  ['odd names', oddStore, '{ x2m_temperature(time: {index: 0}) { mean { value } } group_with_space { deep { shape } } }'], // prettier-ignore
  ['hundreds of variables and groups', manyVariables, '{ v7(y: {index: 0}) { max { value } } g5 { a5 { shape } } }'], // prettier-ignore
])('GraphQL Code Generator on %s', { timeout: 120_000 }, async (_, open, query) => {
  const own = createGateway({ stores: [{ name: 's', store: await open() }] });
  const folder = workFolder({
    'coads.graphql': await own.as(fullAccess).forStore('s').sdl(),
    'codegen.yml': blocksOf(page, 'yaml')[0] ?? '',
    'src/q.graphql': `query Q ${query}`,
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await generate(folder);
  expect(readFileSync(join(folder, 'src/coads.ts'), 'utf8')).toContain('QDocument');
  await own.close();
});
