import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { plugin } from '../../../client/codegen/index.js';
import * as catalog from '../../../client/generated/catalog.js';
import * as generated from '../../../client/generated/operations.js';

const root = join(import.meta.dirname, '../../..');
const read = (folder: string) =>
  readdirSync(join(root, folder)).map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n'); // prettier-ignore

const run = (text: string, config = {}) => plugin(undefined, [{ document: parse(text) }], config);

test('an operation becomes a function and a document that contains each required fragment once', async () => {
  const { content, prepend } = await run(
    `query Get($a: Int!) { a { ...F ...G } }
     fragment F on A { x ...G } fragment G on A { y } fragment H on A { z }`,
    { runtime: './here.js' },
  );
  expect(prepend.join()).toContain('from "./here.js"');
  const text = /`\\\n([^`]*)`/.exec(content)?.[1] ?? '';
  expect(text.match(/fragment (\w)/g)).toEqual(['fragment F', 'fragment G']);
  expect(content).toContain('export const GetDocument: TypedDocument<GetQuery, GetQueryVariables> =');
  expect(content).toContain('get: (variables: GetQueryVariables, options?: RequestOptions) =>');
});

test.each([
  ['query Get { a }', true],
  ['query Get($a: Int) { a }', true],
  ['query Get($a: Int! = 1) { a }', true],
  ['query Get($a: Int, $b: Int!) { a }', false],
])('%s: variables are optional: %s', async (text, optional) => {
  expect((await run(text)).content.includes('(variables?: ')).toBe(optional);
});

test('mutations keep their kind in the type names', async () => {
  expect((await run('mutation Put { a }')).content).toContain(
    'TypedDocument<PutMutation, PutMutationVariables>',
  );
});

test('template literal syntax is escaped', async () => {
  expect((await run('query Get { a(b: "`${x}") }')).content).toContain('"\\`\\${x}"');
});

test('an unnamed operation is rejected', async () => {
  await expect(run('{ a }')).rejects.toThrow(/no name: \{/);
});

describe('the documents of the SDK', () => {
  const schema = buildSchema(read('schema'));
  const documents = Object.entries({ ...generated, ...catalog }).filter(([name]) =>
    name.endsWith('Document'),
  );

  test.each(documents)('%s fits the schema', (_name, document) => {
    expect(validate(schema, parse(String(document)))).toEqual([]);
  });

  test('contain every operation in the .graphql files', () => {
    const catalogText = readFileSync(join(root, 'client/codegen/catalog.graphql'), 'utf8');
    const operations = `${read('client/documents')}\n${catalogText}`.match(
      /^(?:query|mutation|subscription)\b/gm,
    );
    expect(documents).toHaveLength(operations?.length ?? 0);
  });
});
