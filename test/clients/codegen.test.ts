/**
 * The client preset of GraphQL Code Generator, configured as in docs/clients/codegen.md: its output
 * compiles, including oneOf inputs.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { typeDefs } from '../../server/index.js';
import { root } from '../docs/samples.js';
import { blocksOf, workFolder } from './pages.js';

const run = promisify(execFile);

test('the generated types enforce oneOf', { timeout: 120_000 }, async () => {
  const [config = ''] = blocksOf('codegen.md', 'yaml');
  const [code = ''] = blocksOf('codegen.md', 'ts');
  const schema = /^schema: (.*)$/m.exec(config)?.[1] ?? '';
  const folder = workFolder({
    'codegen.yml': config.replace(schema, 'schema.graphql'),
    'schema.graphql': typeDefs,
    'src/sst.ts': code,
    'tsconfig.json': JSON.stringify({ extends: '../../tsconfig.json', include: ['src'], exclude: [] }),
  });
  expect(schema).toBe('node_modules/zarrql/dist/schema.graphql');
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
  await node('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.yml', '--silent');
  expect(await node('typescript/bin/tsc', '-p', '.', '--noEmit')).toBe('');
});
