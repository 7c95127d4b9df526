/** The code blocks of docs/clients parse and match the schema. The tests of each client run them. */
import { composeServices } from '@theguild/federation-composition';
import { parse, validate, buildSchema, isObjectType, isInterfaceType } from 'graphql';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { graphcacheOptions } from '../../client/adapters/urql.js';
import { fullAccess, typeDefs } from '../../server/index.js';
import { codeBlocks, readText, root, sampleStores } from '../docs/format-samples.js';
import { blocksOf, generate, workFolder } from './pages.js';

const schema = buildSchema(typeDefs);
const gateway = sampleStores();
afterAll(() => gateway.close());
/** The documents of this page are for the schema of the store. */
const schemaOf = async (page: string) =>
  page === 'store-schemas.md' ? gateway.as(fullAccess).forStore('coads').schema() : schema;
const pages = readdirSync(join(root, 'docs/clients')).filter((name) => name !== 'README.md');

test('the overview links every page, and no other', () => {
  const linked = [...readText('docs/clients/README.md').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(
    ([, name]) => name,
  );
  expect(new Set(linked)).toEqual(new Set(pages));
});

describe.each(pages)('%s', (page) => {
  test.each(codeBlocks(readText(`docs/clients/${page}`)))(
    'the block at line $line is not empty, and valid in its language',
    async ({ info, code }) => {
      if (info === 'graphql') expect(validate(await schemaOf(page), parse(code))).toEqual([]);
      if (info === 'json') expect(JSON.parse(code)).toBeTypeOf('object');
      if (info === 'yaml') expect(parseYaml(code)).toBeTypeOf('object');
      expect(code.trim()).not.toBe('');
    },
  );
});

test('documents in Python code match the schema', () => {
  const texts = ['python-gql.md', 'sgqlc.md'].flatMap((page) => [
    ...blocksOf(page, 'python'),
    ...blocksOf(page, 'python websocket'),
  ]);
  const documents = texts.flatMap((text) => [...text.matchAll(/"""([^]*?)"""|'(\{[^']*\})'/g)]);
  expect(documents).toHaveLength(3);
  for (const [, long, short] of documents) expect(validate(schema, parse(long ?? short ?? ''))).toEqual([]);
});

test('the schema composes into a federated one, with the prelude', () => {
  const [prelude = ''] = blocksOf('proxies.md', 'graphql prelude');
  const subgraph = {
    name: 'zarrql',
    url: 'http://127.0.0.1:4000/graphql',
    typeDefs: parse(prelude + typeDefs),
  };
  const { errors, supergraphSdl } = composeServices([subgraph]);
  expect(errors).toBeUndefined();
  expect(supergraphSdl).toContain('join__Graph');
});

test('dimensions of arrays and of datasets have names of the same type', () => {
  const document = '{ nodes(ids: []) { ... on ZarrArray { dimensions { name } } ... on Dataset { dimensions { name } } } }'; // prettier-ignore
  expect(validate(schema, parse(document))).toEqual([]);
});

test('cache options cover every object type and interface', () => {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const roots = ['Query', 'Mutation', 'Subscription'];
  const objects = types.filter((type) => isObjectType(type) && !roots.includes(type.name));
  expect(Object.keys(graphcacheOptions.keys).toSorted()).toEqual(objects.map(({ name }) => name).toSorted());
  const interfaces = types.filter((type) => isInterfaceType(type));
  expect(Object.keys(graphcacheOptions.possibleTypes).toSorted()).toEqual(
    interfaces.map(({ name }) => name).toSorted(),
  );
});

// The client preset of GraphQL Code Generator, configured as in docs/clients/codegen.md: its output
// compiles, including oneOf inputs.

const run = promisify(execFile);

test('the generated types enforce oneOf', { timeout: 120_000 }, async () => {
  const [config = ''] = blocksOf('codegen.md', 'yaml');
  const [code = ''] = blocksOf('codegen.md', 'ts');
  const schema = /^schema: (.*)$/m.exec(config)?.[1] ?? '';
  const folder = workFolder({
    'codegen.yml': config.replace(schema, 'schema.graphql'),
    'schema.graphql': typeDefs,
    'src/sst.ts': code,
    'tsconfig.json': JSON.stringify({ extends: '../../../../tsconfig.json', include: ['src'], exclude: [] }),
  });
  expect(schema).toBe('node_modules/zarrql/dist/schema.graphql');
  await generate(folder, '--config', 'codegen.yml');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', '.', '--noEmit'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
