/** Gateways that combine zarrql with other services: schema stitching and Hive Gateway. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { fullAccess } from '../../server/index.js';
import { listen } from '../client/listen.js';
import { sampleStores } from '../docs/format-samples.js';
import { installPackages } from './packages.js';

const run = promisify(execFile);
const gateway = sampleStores();
const server = await listen((request) => gateway.fetch(request, fullAccess));
afterAll(async () => {
  server.close();
  await gateway.close();
});

const query =
  '{ store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 45, 90:92" }) { values } } } }';
const data = {
  store: { array: { slice: { values: [expect.closeTo(26.6154, 3), expect.closeTo(26.4569, 3)] } } },
};

/** Runs a program with the packages of a folder. @returns its output as JSON */
async function output(folder: string, program: string): Promise<unknown> {
  const file = join(folder, `program-${process.pid}.mjs`);
  writeFileSync(file, program);
  return JSON.parse((await run(process.execPath, [file, server.url])).stdout);
}

test('schema stitching adds a field of another schema', { timeout: 300_000 }, async (context) => {
  const packages = await installPackages('stitching', {
    '@graphql-tools/stitch': '10.3.1',
    '@graphql-tools/executor-http': '3.4.1',
    '@graphql-tools/wrap': '11.2.5',
    graphql: '16.15.0',
  });
  if ('missing' in packages) return context.skip(packages.missing);
  const program = `
    import { stitchSchemas } from '@graphql-tools/stitch';
    import { buildHTTPExecutor } from '@graphql-tools/executor-http';
    import { schemaFromExecutor } from '@graphql-tools/wrap';
    import { buildSchema, execute, parse } from 'graphql';
    const executor = buildHTTPExecutor({ endpoint: process.argv[2] });
    const zarrql = { schema: await schemaFromExecutor(executor), executor, batch: true };
    const schema = stitchSchemas({
      subschemas: [zarrql, { schema: buildSchema('type Query { hello: String }') }],
      resolvers: { Query: { hello: () => 'world' } },
    });
    const document = parse(${JSON.stringify(query.replace('{', '{ hello'))});
    console.log(JSON.stringify(await execute({ schema, document })));`;
  expect(await output(packages.folder, program)).toEqual({ data: { hello: 'world', ...data } });
});

test('Hive Gateway passes on queries', { timeout: 300_000 }, async (context) => {
  const packages = await installPackages('hive-gateway', {
    '@graphql-hive/gateway-runtime': '2.12.1',
    '@graphql-mesh/transport-http': '1.2.1',
    graphql: '16.15.0',
  });
  if ('missing' in packages) return context.skip(packages.missing);
  const program = `
    import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
    const gateway = createGatewayRuntime({ proxy: { endpoint: process.argv[2] }, logging: false });
    const response = await gateway.fetch('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify({ query }))},
    });
    console.log(await response.text());
    await gateway[Symbol.asyncDispose]();`;
  expect(await output(packages.folder, program)).toEqual({ data });
});
