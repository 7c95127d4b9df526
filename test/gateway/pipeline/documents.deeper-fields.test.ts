import { buildSchema, validate, parse } from 'graphql';
import { expect, test } from 'vitest';
import { withDeeperFields } from '../../../server/gateway/pipeline/documents.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { execute, sampleGateway } from '../../resolvers/gateway-client.js';

const wide = Array.from({ length: 5 }, (_, i) => `f${i}: T`).join(' ');
const schema = buildSchema(
  `type Query { a: A one: Int ${wide} } type A { x: Int other: [B!]! } type B { value: Int } type T { many: Int }`,
);

function messageOf(document: string): string | undefined {
  return validate(schema, parse(document)).map((error) => withDeeperFields(error, schema).message)[0];
}

test.each([
  ['{ x }', 'Cannot query field "x" on type "Query". Did you mean "a { x }"?'],
  ['{ a { value } }', 'Cannot query field "value" on type "A". Did you mean "other { value }"?'],
  ['{ on }', 'Cannot query field "on" on type "Query". Did you mean "one"?'],
  ['{ many }', 'Cannot query field "many" on type "Query".'],
  ['{ __proto__ }', 'Cannot query field "__proto__" on type "Query".'],
  ['{ constructor }', 'Cannot query field "constructor" on type "Query".'],
])('%s', (document, message) => {
  expect(messageOf(document)?.replace(/ Did you mean "f0".*/, '')).toBe(message);
});

test('ZarrArray.values suggests the slice, unless introspection is off', async () => {
  const document = '{ store(name: "coads") { array(path: "SST") { values } } }';
  const { errors } = await execute(sampleGateway(), document);
  expect(errors[0]?.message).toBe(
    'Cannot query field "values" on type "ZarrArray". Did you mean "slice { values }"?',
  );
  const closed = createGateway({ stores: [], introspection: false });
  const body = JSON.stringify({ query: document });
  const request = new Request('http://localhost/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body }); // prettier-ignore
  expect(await (await closed.fetch(request, fullAccess)).text()).not.toContain('slice');
  await closed.close();
});
