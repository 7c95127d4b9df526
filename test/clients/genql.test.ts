/** genql generates a client from the schema that selects fields by objects. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fullAccess, typeDefs } from '../../server/index.js';
import { listen } from '../client/listen.js';
import { sampleStores } from '../docs/format-samples.js';
import { installPackages } from './packages.js';
import { workFolder } from './pages.js';

const run = promisify(execFile);

test('reads values of an array, and reports errors', { timeout: 300_000 }, async (context) => {
  const packages = await installPackages('genql', { '@genql/cli': '6.3.4', graphql: '16.15.0' });
  if ('missing' in packages) return context.skip(packages.missing);
  const folder = workFolder({ 'schema.graphql': typeDefs });
  const cli = join(packages.folder, 'node_modules/@genql/cli/dist/cli.js');
  await run(process.execPath, [cli, '--schema', 'schema.graphql', '--output', 'generated'], { cwd: folder });
  const { createClient } = await import(join(folder, 'generated/index.ts'));
  const gateway = sampleStores();
  const server = await listen((request) => gateway.fetch(request, fullAccess));
  onTestFinished(async () => {
    server.close();
    await gateway.close();
  });
  const client = createClient({ url: server.url });
  const slice = { __args: { select: { text: '0, 45, 90:92' } }, shape: true, values: true };
  const array = { __args: { path: 'SST' }, dtype: { name: true }, slice };
  const result = await client.query({ store: { __args: { name: 'coads' }, array } });
  expect(result.store.array).toMatchObject({
    dtype: { name: 'float32' },
    slice: { shape: [2], values: [expect.closeTo(26.6154, 3), expect.closeTo(26.4569, 3)] },
  });
  await expect(client.query({ store: { __args: { name: 'x' }, name: true } })).rejects.toThrow(/"x"/);
});
