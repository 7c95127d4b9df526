/**
 * Custom documents: the output of GraphQL Code Generator with the gateway's schema and the SDK's plugin compiles, runs
 * and returns typed arrays.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, sampleStores } from '../../docs/format-samples.js';
import { listen } from '../listen.js';
import { fullAccess } from '../../../server/index.js';

const run = promisify(execFile);
const gateway = sampleStores();
let server: Awaited<ReturnType<typeof listen>>;
let folder: string;
beforeAll(async () => {
  server = await listen((request) => gateway.fetch(request, fullAccess));
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/documents-'));
  await writeFile(
    join(folder, 'row.graphql'),
    `query Row($store: String!, $row: BigInt!) {
       store(name: $store) { array(path: "SST") { size slice(select: { dims: [{ index: 4 }, { index: $row }] }) { dtype { name kind numpy itemSize } values } } }
     }`,
  );
  const config = {
    strictScalars: true, useTypeImports: true, emitLegacyCommonJSImports: false, documentMode: 'documentNode',
    scalars: { ID: 'string', BigInt: 'number | bigint', JSON: 'unknown', URL: 'string', NDArray: { input: 'unknown', output: 'zarrql-client#AnyNDArray' } },
  }; // prettier-ignore
  const codegen = {
    schema: server.url,
    documents: join(folder, '*.graphql'),
    generates: {
      [join(folder, 'sdk.ts')]: {
        plugins: ['typescript-operations', join(root, 'client/codegen/index.ts')],
        config,
      },
      [join(folder, 'nodes.ts')]: { plugins: ['typescript-operations', 'typed-document-node'], config },
    },
  };
  await writeFile(join(folder, 'codegen.json'), JSON.stringify(codegen));
  const cli = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  // Not tsx, which loads a second copy of graphql.
  const options = ['--conditions=zarrql-source', '--import', join(root, 'scripts/typescript-sources.mjs')];
  await run(process.execPath, [...options, cli, '--config', join(folder, 'codegen.json'), '--silent'], {
    cwd: root,
  });
  await writeFile(
    join(folder, 'program.ts'),
    `import { createClient } from 'zarrql-client';
     import { createSdk } from './sdk.js';
     import { RowDocument } from './nodes.js';
     const client = createClient({ url: process.argv[2] ?? '' });
     const one = await createSdk(client.request).row({ store: 'coads', row: 57 });
     const two = await client.request(RowDocument, { store: 'coads', row: 57n });
     for (const { store } of [one, two]) {
       const values = store?.array?.slice?.values;
       if (values?.is('float32')) console.log(values.data satisfies Float32Array && values.get(98), String(store?.array?.size));
     }
     // @ts-expect-error a variable is missing
     await client.request(RowDocument, { row: 57 }).catch(() => console.log('refused'));`,
  );
  const tsconfig = { extends: '../../tsconfig.json', include: ['program.ts'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
}, 120_000);
afterAll(async () => {
  server.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('a program with generated documents reads typed arrays', async () => {
  const options = ['--conditions=zarrql-source', '--import', 'tsx', join(folder, 'program.ts'), server.url];
  const { stdout } = await run(process.execPath, options, { cwd: root });
  expect(stdout).toBe('21.99945831298828 194400\n21.99945831298828 194400\nrefused\n');
});

test('the program compiles, except for a call without a variable', async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const check = run(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')]);
  expect(await check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout)).toBe('');
}, 60_000); // prettier-ignore
