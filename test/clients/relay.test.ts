/**
 * Relay, configured as in docs/clients/relay.md: its compiler accepts the schema, and a list pages,
 * refetches and deletes.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createElement, type FunctionComponent, Suspense } from 'react';
import { act, type ReactTestRenderer } from 'react-test-renderer';
import { RelayEnvironmentProvider } from 'react-relay';
import { Environment } from 'relay-runtime';
import { expect, test } from 'vitest';
import { createGateway, typeDefs } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { execute } from '../resolvers/gateway-client.js';
import { mount, until } from './mount.js';
import { installPackages } from './packages.js';
import { blocksOf, expectSilence, serve, workFolder } from './pages.js';

const run = promisify(execFile);
// Contains a program for each platform.
const installed = await installPackages('relay-compiler', { 'relay-compiler': '21.0.1' });
const compiler = 'folder' in installed ? installed.folder : '';

/** Replaces each document by the compiler's output, as Relay's Babel plugin does. */
function withArtifacts(code: string): string {
  const imports: string[] = [];
  const linked = code.replace(/graphql`\s*(?:query|mutation|fragment) (\w+)[^`]*`/g, (_, name: string) => {
    imports.push(`import ${name}Node from './__generated__/${name}.graphql';`);
    return `${name}Node`;
  });
  return [...imports, "import React from 'react';", linked].join('\n');
}

interface Page {
  readonly Members: FunctionComponent<{ store: string }>;
  readonly environment: Environment;
}

async function compilePage(): Promise<Page> {
  const [config = ''] = blocksOf('relay.md', 'json');
  const [environment = ''] = blocksOf('relay.md', 'ts');
  const [members = ''] = blocksOf('relay.md', 'tsx');
  const folder = workFolder({
    'relay.config.json': config,
    'schema.graphql': typeDefs,
    'src/environment.ts': environment,
    'src/Members.tsx': members,
    'src/view.tsx': withArtifacts(members),
  });
  await run(process.execPath, [join(compiler, 'node_modules/relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: folder,
  });
  const [view, { environment: made }] = await Promise.all([
    import(join(folder, 'src/view.tsx')),
    import(join(folder, 'src/environment.ts')),
  ]);
  return { Members: view.Members, environment: made };
}

test.skipIf(compiler === '')('a list pages, refetches and deletes', { timeout: 120_000 }, async () => {
  expectSilence();
  const gateway = createGateway({
    stores: [{ name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true }],
  });
  const create = (path: string) =>
    execute(gateway, `mutation { createArray(input: { store: "scratch", path: "${path}", shape: [1], dtype: "int8" }) { array { id } } }`); // prettier-ignore
  await execute(gateway, 'mutation { createGroup(input: { store: "scratch" }) { group { id } } }');
  for (const name of ['a', 'b', 'c']) await create(name);
  const { Members, environment } = await compilePage();
  expect(environment).toBeInstanceOf(Environment);
  const requests = serve(gateway);

  const list = createElement(Suspense, { fallback: null }, createElement(Members, { store: 'scratch' }));
  const tree = await mount(createElement(RelayEnvironmentProvider, { environment, children: list }));
  await until(() => namesIn(tree).length > 0);
  expect(namesIn(tree)).toEqual(['a', 'b']);

  await press(tree, 'button', 0);
  await until(() => namesIn(tree).length > 2);
  expect(namesIn(tree)).toEqual(['a', 'b', 'c']);

  await press(tree, 'li', 1);
  await until(() => namesIn(tree).length < 3);
  expect(namesIn(tree)).toEqual(['a', 'c']);
  const { data } = await execute(gateway, '{ store(name: "scratch") { search { nodes { path } } } }');
  expect(data.store.search.nodes.map(({ path }: { path: string }) => path)).toEqual(['/', '/a', '/c']);

  await create('b');
  const before = requests.count;
  await press(tree, 'button', 1);
  await until(() => requests.count > before && namesIn(tree)[1] === 'b');
  expect(namesIn(tree)).toEqual(['a', 'b']);
  await gateway.close();
});

function namesIn(tree: ReactTestRenderer): unknown[] {
  return tree.root.findAllByType('li').map(({ children }) => children[0]);
}

async function press(tree: ReactTestRenderer, type: 'button' | 'li', index: number): Promise<void> {
  const handler: unknown = tree.root.findAllByType(type)[index]?.props['onClick'];
  if (typeof handler !== 'function') throw new TypeError(`the page has no ${type} ${index}`);
  await act(async () => {
    handler();
  });
}
