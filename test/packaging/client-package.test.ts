/** The package of the SDK: packed, installed offline, run and type-checked. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../server/gateway.js';
import { codeBlocks, readText, sampleStores } from '../docs/format-samples.js';
import { folderStore } from '../client/in-process.js';
import { listen } from '../client/listen.js';
import { fullAccess } from '../../server/index.js';
import { installPackages } from '../clients/packages.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let folder: string;
let tarball: string;

/** An empty cache, because npm fails if its cache contains some, but not all, metadata of an optional peer. */
function offline(): string[] {
  return ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'npm-cache')];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-client-'));
  // The script `prepack` runs the build.
  const { stdout } = await run('npm', ['pack', '-w', 'client', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  const packed = JSON.parse(stdout.slice(stdout.search(/[[{]/))) as Record<string, { filename: string }>;
  const [only] = Object.values(packed);
  tarball = only?.filename ?? '';
  await writeFile(join(folder, 'package.json'), '{ "name": "dashboard", "private": true, "type": "module" }');
  await run('npm', ['install', `./${tarball}`, ...offline()], { cwd: folder });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the quick start of docs/sdk.md', () => {
  const gateway = sampleStores();
  let server: Awaited<ReturnType<typeof listen>>;
  let output = '';
  beforeAll(async () => {
    server = await listen((request) => gateway.fetch(request, fullAccess));
    const guide = readText('docs/sdk.md').replaceAll('http://127.0.0.1:4000/graphql', server.url);
    const quickStart = guide.slice(guide.indexOf('## Quick start'), guide.indexOf('The other examples'));
    const empty = await mkdtemp(join(folder, 'empty-'));
    for (const { info, code } of codeBlocks(quickStart)) {
      if (info.startsWith('ts')) await writeFile(join(empty, 'main.ts'), code);
      else for (const line of code.trim().split('\n')) output += await type(line, empty);
    }
  }, 120_000);
  afterAll(async () => {
    server.close();
    await gateway.close();
  });

  /** Runs a command with the packages of this repository instead of a registry. */
  async function type(line: string, cwd: string): Promise<string> {
    const [program = '', ...args] = line.split(' ');
    const here: Readonly<Record<string, readonly [string, readonly string[]]>> = {
      'npm install': ['npm', ['install', join(folder, tarball), ...offline()]],
      'npx tsc': [process.execPath, [tsc, ...args.slice(1)]],
    };
    const [command, given] = here[`${program} ${args[0]}`] ?? [program, args];
    return (await run(command, given, { cwd })).stdout;
  }

  test('generates types, compiles, and prints values', () => {
    expect(output).toMatch(/float32 \[ 10 \]\nFloat32Array 29\.32\n$/);
  });
});

test('has no dependencies, sources or tests', async () => {
  const installed = await readdir(join(folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['zarrql-client']);
  const files = await readdir(join(folder, 'node_modules/zarrql-client'), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'dist/client/index.js',
      'dist/client/codegen/index.d.ts',
      'dist/wire/shape.js',
    ]),
  );
  expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name) || name.includes('test'))).toEqual([]);
});

describe('npx zarrql-client codegen', () => {
  const program = (...args: readonly string[]) => run('npx', ['--no-install', 'zarrql-client', ...args], { cwd: folder }); // prettier-ignore

  test('writes the types of the stores, with a header, without the packages of the gateway', async () => {
    const gateway = sampleStores();
    const headers = new Set<string | null>();
    const server = await listen((request) => {
      headers.add(request.headers.get('authorization'));
      return gateway.fetch(request, fullAccess);
    });
    try {
      const given = ['codegen', '--url', server.url, '--header', 'authorization: Bearer secret'];
      expect(await program(...given, '--out', 'gen.ts', '--runtime', '../../../client/index.js')).toMatchObject({ stdout: '', stderr: '' }); // prettier-ignore
      expect(await readFile(join(folder, 'gen.ts'), 'utf8')).toBe(readText('test/types/generated/stores.ts'));
      const { stdout } = await program(...given, '--out=-', '--store', 'etopo20', '--name', 'Relief');
      expect(stdout).toMatch(/export interface Relief \{\n {2}readonly etopo20: \{/);
      expect(stdout).not.toContain('coads');
      expect(headers).toEqual(new Set(['Bearer secret']));
    } finally {
      server.close();
      await gateway.close();
    }
  });

  test('displays help', async () => {
    expect((await program('--help')).stdout).toContain('Usage: zarrql-client codegen --url URL --out FILE');
  });

  test.each([
    [['codegen', '--url', 'http://127.0.0.1:9/graphql', '--out', '-'], 1, /no response from http:\/\/127\.0\.0\.1:9\/graphql/], // prettier-ignore
    [['codegen', '--out', '-'], 2, /--url is required/],
    [['codegen', '--url', 'http://127.0.0.1:9/', '--out', '-', '--header', 'secret'], 2, /--header must have the form/], // prettier-ignore
    [['codegen', '--token=secret'], 2, /Unknown option '--token'/],
    [['codegen', '--url'], 2, /--url/],
    [['types'], 2, /unknown argument types/],
    [[], 2, /expected a command/],
    [['codegen', '--url', 'http://127.0.0.1:9/graphql', '--out', '-', '--documents', '*.graphql'], 2, /exactly one --store/], // prettier-ignore
    [['codegen', '--url', 'http://127.0.0.1:9/graphql', '--out', '-', '--store', 'a', '--documents', '*.graphql'], 1, /no response from http:\/\/127\.0\.0\.1:9\/graphql\/a\/schema\.graphql/], // prettier-ignore
  ])('%j fails', async (args, code, message) => {
    const failed: unknown = await program(...args).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(JSON.stringify(Object(failed)['stderr'])).not.toContain('secret');
  });
});

describe('npx zarrql-client codegen --documents', () => {
  const gateway = sampleStores();
  let consumer: string;
  let server: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    consumer = join(folder, 'documents');
    await mkdir(join(consumer, 'node_modules'), { recursive: true });
    await mkdir(join(consumer, 'src'));
    await cp(join(folder, 'node_modules/zarrql-client'), join(consumer, 'node_modules/zarrql-client'), { recursive: true }); // prettier-ignore
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(consumer, 'src/sst.graphql'),
      `query Sst($time: PartialDate!) { SST(TIME: { at: $time }, COADSY: { at: 1 }, COADSX: { at: 181 }) { value ...Shape } }
       fragment Shape on TypedSlice { shape }`,
    );
    await writeFile(
      join(consumer, 'src/wind.ts'),
      'declare function gql(text: TemplateStringsArray): unknown;\nexport const wind = gql`query Wind($at: DateSelection) { UWND(TIME: $at) { values } }`;',
    );
    server = await listen((request) => gateway.fetch(request, fullAccess));
  }, 60_000);
  afterAll(async () => {
    server.close();
    await gateway.close();
  });
  const generate = (store: string, ...documents: readonly string[]) =>
    run(process.execPath, ['node_modules/zarrql-client/dist/client/codegen/cli.js', 'codegen', '--url', server.url, '--store', store, '--out', 'src/coads.gen.ts', ...documents.flatMap((pattern) => ['--documents', pattern])], { cwd: consumer }); // prettier-ignore

  test('names the packages that it needs', async () => {
    const failed: unknown = await generate('coads', 'src/*.graphql').catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/npm install --save-dev graphql @graphql-codegen\/cli/) }); // prettier-ignore
  });

  test('writes typed documents, which the SDK sends', { timeout: 120_000 }, async () => {
    for (const name of ['graphql', '@graphql-codegen', '@graphql-typed-document-node']) {
      const target = join(consumer, 'node_modules', name);
      await mkdir(join(target, '..'), { recursive: true });
      await symlink(join(root, 'node_modules', name), target);
    }
    expect(await generate('coads', 'src/*.graphql', 'src/wind.ts')).toMatchObject({ stdout: '', stderr: '' });
    await writeFile(
      join(consumer, 'src/main.ts'),
      `import { createClient, type AnyNDArray } from 'zarrql-client';
       import { SstDocument, WindDocument } from './coads.gen.js';
       const store = createClient({ url: ${JSON.stringify(server.url)} }).store('coads');
       const { SST } = await store.request(SstDocument, { time: '0000-03' });
       const value: number | null | undefined = SST?.value;
       const { UWND } = await store.request(WindDocument, { at: { index: 0 } });
       const values: AnyNDArray | null | undefined = UWND?.values;
       console.log(value?.toFixed(2), SST?.shape, values?.shape, values?.is('float32'));
       export const wrong = [
         // @ts-expect-error the variable is required
         () => store.request(SstDocument, {}),
         // @ts-expect-error there is no such variable
         () => store.request(SstDocument, { tmie: '0000-03' }),
         // @ts-expect-error a date is text
         () => store.request(SstDocument, { time: 3 }),
         // @ts-expect-error a selection has exactly one field
         () => store.request(WindDocument, { at: { index: 0, near: '0000-03' } }),
         // @ts-expect-error the document does not select it
         () => store.request(WindDocument, {}).then(({ VWND }) => VWND),
       ];`,
    );
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']; // prettier-ignore
    const lib = ['--lib', 'es2023,dom', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const check = run(process.execPath, [tsc, ...flags, ...lib, 'src/main.ts'], { cwd: consumer });
    expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
    // Node runs the file without its types; the extension of the generated file differs.
    const text = await readFile(join(consumer, 'src/main.ts'), 'utf8');
    await writeFile(join(consumer, 'src/main.ts'), text.replace('./coads.gen.js', './coads.gen.ts'));
    const { stdout } = await run(process.execPath, ['src/main.ts'], { cwd: consumer });
    expect(stdout).toBe('28.05 [] [ 90, 180 ] true\n');
  }); // prettier-ignore

  test('reports invalid documents, and a store that is not served', { timeout: 60_000 }, async () => {
    await writeFile(
      join(consumer, 'src/wrong.graphql'),
      'query Wrong { SSTT { value } SLP(y: 1) { valeu } }',
    );
    const invalid: unknown = await generate('coads', 'src/wrong.graphql').catch((error: unknown) => error);
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringMatching(/"SSTT" on type "Query".*Unknown argument "y".*"valeu"/) }); // prettier-ignore
    const unknown: unknown = await generate('none', 'src/sst.graphql').catch((error: unknown) => error);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/no store with a schema has this name/) }); // prettier-ignore
  });
});

test('imports nothing else, except for code generation and adapters', async () => {
  const dist = join(folder, 'node_modules/zarrql-client/dist');
  const scripts = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  for (const script of scripts.filter((name) => !/^client\/(codegen|adapters)/.test(name))) {
    const text = await readFile(join(dist, script), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export) .*from '([^']+)'/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(imports.filter((name) => !name.startsWith('.'))).toEqual([]);
  }
});

test('code generation has no other dependencies', async () => {
  const program = `import { sdkDocuments, writeStores } from 'zarrql-client/codegen';
    console.log(writeStores({ stores: [] }).includes('interface Stores'), Object.keys(await sdkDocuments()).length > 10);`;
  await writeFile(join(folder, 'codegen.js'), program);
  expect((await run(process.execPath, ['codegen.js'], { cwd: folder })).stdout).toBe('true true\n');
});

test('runs against a gateway', async () => {
  const gateway = createGateway({ stores: [folderStore('coads', join(root, 'examples/data/coads.zarr'))] });
  const server = await listen((request) => gateway.fetch(request, fullAccess));
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
])('its types compile with moduleResolution %s and library checks', async (name, flags) => {
  const program = `${name}.ts`;
  await writeFile(
    join(folder, program),
    `import { createClient } from 'zarrql-client';
     import type { NDArray } from 'zarrql-client';
     const array = createClient({ url: '/graphql' }).store('a').array('b');
     const floats = createClient({ url: '/graphql' }).store('a').array('b', { dtype: 'float32' });
     export const typed: NDArray<'float32'> = await floats.slice([0]);
     export const data: Float32Array = typed.data;
     const any = await array.slice({ time: [0, 1] });
     if (any.is('int64')) any.data satisfies BigInt64Array;
     // @ts-expect-error the data type is not known to be float32
     export const wrong: Float32Array = any.data;`,
  );
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom'];
  // tsc prints errors to stdout, so the failure must include it.
  const check = run(process.execPath, [tsc, ...strict, ...target, ...flags, program], { cwd: folder });
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
}); // prettier-ignore

describe.each(['16.15.0', '17.1.0'])('with graphql %s as the peer', (version) => {
  test('documents and adapters run and compile', { timeout: 300_000 }, async (context) => {
    const packages = await installPackages(`sdk-graphql-${version}`, {
      graphql: version,
      '@apollo/client': '4.3.8',
      '@urql/core': '6.0.3',
      rxjs: '7.8.2',
      wonka: '6.3.6',
    });
    if ('missing' in packages) return context.skip(packages.missing);
    const consumer = join(folder, `graphql-${version}`);
    await mkdir(join(consumer, 'node_modules'), { recursive: true });
    for (const name of await readdir(join(packages.folder, 'node_modules')))
      await symlink(join(packages.folder, 'node_modules', name), join(consumer, 'node_modules', name));
    const client = 'node_modules/zarrql-client';
    await cp(join(folder, client), join(consumer, client), { recursive: true });
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
    const program = `
      import { ApolloClient, gql, InMemoryCache } from '@apollo/client/core';
      import { Client } from '@urql/core';
      import { parse, version } from 'graphql';
      import { createClient } from 'zarrql-client';
      import { zarrqlCache, zarrqlLink } from 'zarrql-client/apollo';
      import { plugin } from 'zarrql-client/codegen';
      import { zarrqlExchange } from 'zarrql-client/urql';

      const text = 'query Row { store(name: "coads") { id array(path: "SST") { id slice(select: { text: "0, 57, 96:98" }) { values } } } }';
      const client = createClient({ url: String(process.argv[2]) });
      const nameOf = (data: unknown): string =>
        (data as { store: { array: { slice: { values: { data: object } } } } }).store.array.slice.values.data.constructor.name;
      const apollo = new ApolloClient({ cache: new InMemoryCache(zarrqlCache), link: zarrqlLink(client) });
      const urql = new Client({ url: '/', preferGetMethod: false, exchanges: [zarrqlExchange(client)] });
      const first = await apollo.query({ query: gql(text), fetchPolicy: 'no-cache' });
      const second = await urql.query(parse(text), {}).toPromise();
      const { content } = await plugin(undefined, [{ document: parse(text) }]);
      console.log(JSON.stringify([version, nameOf(first.data), nameOf(second.data), content.includes('query Row')]));`;
    await writeFile(join(consumer, 'program.ts'), program);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
    const lib = ['--lib', 'es2023,dom', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const check = run(process.execPath, [tsc, ...flags, ...lib, 'program.ts'], { cwd: consumer });
    expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
    const gateway = createGateway({ stores: [folderStore('coads', join(root, 'examples/data/coads.zarr'))] });
    const server = await listen((request) => gateway.fetch(request, fullAccess));
    try {
      const { stdout } = await run(process.execPath, ['program.ts', server.url], { cwd: consumer });
      expect(JSON.parse(stdout)).toEqual([version, 'Float32Array', 'Float32Array', true]);
    } finally {
      server.close();
      await gateway.close();
    }
  });
}); // prettier-ignore
