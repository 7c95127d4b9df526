/** Runs the code of docs/clients for Python's GraphQL clients against a gateway. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { fullAccess, typeDefs } from '../../server/index.js';
import { blocksOf, workFolder } from '../clients/pages.js';
import { listen } from '../client/listen.js';
import { sampleStores } from '../docs/format-samples.js';
import { until } from '../http/serving.js';
import { start } from '../http/sse-client.js';
import { execute } from '../resolvers/gateway-client.js';
import { findPython } from './python.js';

const run = promisify(execFile);
const gateway = sampleStores();
const server = await listen((request) => gateway.fetch(request, fullAccess));
afterAll(async () => {
  server.close();
  await gateway.close();
});

const at = (code: string) => code.replace('http://127.0.0.1:4000/graphql', server.url);

test.for([
  {
    page: 'python-gql.md',
    shown: 'values.shape, values.dtype, float(values[98])',
    output: '(180,) float32 21.58414649963379',
  },
  { page: 'sgqlc.md', shown: 'shape', output: '[12, 90, 180]' },
])(
  'the code of $page reads from the sample stores',
  { timeout: 300_000 },
  async ({ page, shown, output }, context) => {
    const python = await findPython('clients');
    if ('missing' in python) return context.skip(python.missing);
    const code = [...blocksOf(page, 'python').map(at), `print(${shown})`].join('\n');
    expect((await run(python.command, ['-c', code])).stdout).toContain(output);
  },
);

test('the client generated as in ariadne-codegen.md reads a shape', { timeout: 300_000 }, async (context) => {
  const python = await findPython('clients');
  if ('missing' in python) return context.skip(python.missing);
  const folder = workFolder({
    'pyproject.toml': blocksOf('ariadne-codegen.md', 'toml').join(''),
    'queries.graphql': blocksOf('ariadne-codegen.md', 'graphql').join(''),
    'schema.graphql': typeDefs,
  });
  await run(join(python.command, '../ariadne-codegen'), [], { cwd: folder });
  const code = `from graphql_client import Client
print(Client(${JSON.stringify(server.url)}).shape(store="coads", path="/SST").store.array.shape)`;
  expect((await run(python.command, ['-c', code], { cwd: folder })).stdout.trim()).toBe('[12, 90, 180]');
});

const session = `
from gql.transport.exceptions import TransportQueryError

async def main():
    async with Client(transport=transport) as session:
        print(await session.execute(gql("{ stores { nodes { name } } }")))
        for wrong in ['{ store(name: "m") { array(path: "none") { path } } }', "{ unknown }"]:
            try:
                await session.execute(gql(wrong))
            except TransportQueryError as error:
                print(error.errors[0]["extensions"]["code"], error.data)
    async for changes in follow("m"):
        print(changes)
    print("the subscription has ended")

asyncio.run(main())
`;

test(
  'the WebSocket of python-gql.md runs queries, reports errors, and follows changes',
  { timeout: 300_000 },
  async (context) => {
    const python = await findPython('clients');
    if ('missing' in python) return context.skip(python.missing);
    const { port, gateway: writable, bus } = await start();
    const [page = ''] = blocksOf('python-gql.md', 'python websocket');
    const code = page.replace('ws://127.0.0.1:4000/', `ws://127.0.0.1:${port}/`) + session;
    const running = run(python.command, ['-c', code]);
    await Promise.race([until(() => bus.listeners() === 1), running]);
    await execute(writable, 'mutation { createGroup(input: { store: "m" }) { group { path } } }');
    writable.endStreams();
    const { stdout } = await running;
    expect(stdout.trim().split('\n')).toEqual([
      "{'stores': {'nodes': [{'name': 'm'}, {'name': 'n'}]}}",
      "NOT_FOUND {'store': {'array': None}}",
      'BAD_INPUT None',
      "{'kind': 'CREATED', 'path': '/'}",
      'the subscription has ended',
    ]);
  },
);
