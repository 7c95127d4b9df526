/** gql.tada infers the types of documents from the schema, configured as in docs/clients/codegen.md. */
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { typeDefs } from '../../server/index.js';
import { root } from '../docs/format-samples.js';
import { installPackages } from './packages.js';
import { blocksOf, workFolder } from './pages.js';

const run = promisify(execFile);

const program = `
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { BigInt: number | string; JSON: unknown; NDArray: unknown; URL: string };
}>();

export const document = graphql(\`
  query Sst($by: DimSelection!) {
    store(name: "coads") { array(path: "SST") { shape slice(select: { dims: [$by] }) { values } } }
  }
\`);
type Result = ResultOf<typeof document>;
export const variables: VariablesOf<typeof document> = { by: { index: 0 } };
export const shape = (data: Result): readonly (number | string)[] | undefined => data.store?.array?.shape;
// @ts-expect-error: the document does not select this field
export const wrong = (data: Result) => data.store?.array?.name;
// @ts-expect-error: an index is not a boolean
export const wrongVariables: VariablesOf<typeof document> = { by: { index: true } };
`;

test('infers results and variables', { timeout: 300_000 }, async (context) => {
  const packages = await installPackages('gql-tada', {
    'gql.tada': '1.11.3',
    graphql: '16.15.0',
    typescript: '5.9.3',
  });
  if ('missing' in packages) return context.skip(packages.missing);
  const [config = ''] = blocksOf('codegen.md', 'json');
  const { compilerOptions } = JSON.parse(config);
  const folder = workFolder({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, strict: true, module: 'nodenext', noEmit: true },
      include: ['src'],
    }),
    'schema.graphql': typeDefs,
    'src/sst.ts': program,
  });
  symlinkSync(join(packages.folder, 'node_modules'), join(folder, 'node_modules'));
  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
  expect(await node(join(folder, 'node_modules/.bin/gql.tada'), 'generate-output')).toContain('success');
  expect(await node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
});
