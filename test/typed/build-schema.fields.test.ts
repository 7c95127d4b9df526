/** Every field of every generated type is requested once: none fails with `INTERNAL`. */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  validateSchema,
} from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { openStoreFromUrl, type KeyStore } from '../../server/zarr/index.js';
import { oddStore } from './odd-store.js';

function endpoint(store: KeyStore, options: { writable?: boolean } = {}) {
  const gateway = createGateway({ stores: [{ name: 's', store, ...options }] });
  onTestFinished(() => gateway.close());
  return gateway.as(fullAccess).forStore('s');
}

const url = new URL('../../examples/data/coads.zarr', import.meta.url).href;

test.each<[string, () => Promise<KeyStore>, readonly string[]]>([
  ['the sample store', async () => openStoreFromUrl('coads', url), ['SST', 'TIME', '_compute']],
  ['odd names', oddStore, ['x2m_temperature', 'u6E29u5EA6', 'plain', 'square', 'scalar', 'group_with_space']],
])('%s', async (_, open, expected) => {
  const store = endpoint(await open());
  const schema = await store.schema();
  expect(validateSchema(schema)).toEqual([]);
  const names = Object.keys(schema.getQueryType()?.getFields() ?? {});
  expect(names).toEqual(expect.arrayContaining([...expected]));
  const documents = documentsOf(schema);
  expect(documents.length).toBeGreaterThan(100);
  const failures: string[] = [];
  for (const document of documents) {
    const { errors = [] } = await store.execute({ document });
    for (const { message, extensions } of errors)
      if (extensions['code'] === 'INTERNAL' || message.startsWith('Cannot query'))
        failures.push(`${document}: ${message}`);
  }
  expect(failures).toEqual([]);
});

/** One document for each field of each generated type, reached by the shortest path. */
function documentsOf(schema: GraphQLSchema): string[] {
  const query = schema.getQueryType();
  if (!query) throw new TypeError('no query type');
  const documents: string[] = [];
  const seen = new Set<string>();
  let level: { type: GraphQLObjectType; wrap: (inner: string) => string }[] = [
    { type: query, wrap: (inner) => `{ ${inner} }` },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, wrap } of level) {
      if (seen.has(type.name)) continue;
      seen.add(type.name);
      for (const field of Object.values(type.getFields())) {
        const result = getNamedType(field.type);
        const call = `${field.name}${argumentsOf(field)}`;
        if (!isObjectType(result)) documents.push(wrap(call));
        else {
          documents.push(
            wrap(`${call} { ${result.getFields()['shape'] === undefined ? '__typename' : 'shape'} }`),
          );
          if (!seen.has(result.name) && /[_a-z]/.test(result.name))
            next.push({ type: result, wrap: (inner) => wrap(`${call} { ${inner} }`) });
        }
      }
    }
    level = next;
  }
  return documents;
}

function argumentsOf(field: GraphQLField<unknown, unknown>): string {
  const required = field.args.filter(({ type }) => isNonNullType(type));
  return required.length === 0
    ? ''
    : `(${required.map(({ name, type }) => `${name}: ${valueOf(type)}`).join(', ')})`;
}

function valueOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return `[${valueOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const [first] = Object.values(type.getFields());
    return first === undefined ? '{}' : `{${first.name}: ${valueOf(first.type)}}`;
  }
  return (
    {
      String: '"a"',
      Int: '2',
      Float: '0.5',
      Boolean: 'true',
      ID: '"a"',
      PartialDate: '"2000"',
      JSON: '1',
      BigInt: '1',
      NDArray: '[1]',
    }[type.name] ?? '1'
  );
}
