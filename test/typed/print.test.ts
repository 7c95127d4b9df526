/** The SDL says the same as the schema. */
import { buildSchema, type GraphQLSchema, printType } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { printTypedSchema } from '../../server/typed/print.js';
import { sampleStores } from '../docs/format-samples.js';
import { oddStore } from './odd-store.js';

const gateways = {
  odd: async () => createGateway({ stores: [{ name: 'odd', store: await oddStore(), writable: true }] }),
  coads: () => sampleStores(),
};

/** `printType` omits applied directives. */
function typesOf(schema: GraphQLSchema): Record<string, string> {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return Object.fromEntries(types.map((type) => [type.name, printType(type)]));
}

test.each(['odd', 'coads'] as const)('the SDL of %s has all types with their descriptions', async (name) => {
  const gateway = await gateways[name]();
  onTestFinished(() => gateway.close());
  const store = gateway.as(fullAccess).forStore(name);
  expect(typesOf(buildSchema(await store.sdl()))).toEqual(typesOf(await store.schema()));
});

test('generic types keep their directives', async () => {
  const gateway = sampleStores();
  onTestFinished(() => gateway.close());
  const sdl = await gateway.as(fullAccess).forStore('coads').sdl();
  expect(sdl.match(/\): .*@semanticNonNull|: .* @semanticNonNull/g)?.length).toBeGreaterThan(10);
});

test('a type with many fields is printed in pieces', async () => {
  const gateway = await gateways.odd();
  onTestFinished(() => gateway.close());
  const schema = await gateway.as(fullAccess).forStore('odd').schema();
  const pieces = [...printTypedSchema(schema, gateway.schema)];
  expect(pieces.length).toBeGreaterThan(
    Object.keys(schema.getQueryType()?.getFields() ?? {}).length +
      Object.keys(schema.getTypeMap()).length / 2,
  );
});
