import { getNamedType, type GraphQLNamedType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import {
  isRememberableField,
  isRememberableGenerated,
  rememberableFields,
} from '../../../server/gateway/answers/rememberable.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { gatewaySchema } from '../../../server/resolvers/schema.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

/** Fields that depend on more than stores and rights, and types that only they have. A new field belongs to one of the lists. */
const others = [
  'Query.gateway Query.job Query.jobs',
  'Store.snapshot Store.versions Store.history Store.diff Store.search',
  'ZarrArray.zarrUrl ZarrArray.storage ZarrArray.chunk ZarrGroup.zarrUrl ZarrGroup.consolidatedIsStale',
  'Dataset.href Dataset.zarrUrl Slice.href Slice.zarrUrl Slice.image Slice.tiles Slice.job',
].flatMap((line) => line.split(' '));
const otherTypes =
  /^(StorageUse|Chunk|Gateway|Limits|Job.*|.*Payload|Mutation|Subscription|.*Change|RegionDim|Picture.*|TileSet|Legend.*|StoreVersions|Snapshot|.*Diff|MovedNode)$/;

test('every field of the schema is decided', () => {
  const undecided: string[] = [];
  const decided = new Set<string>();
  for (const type of Object.values(gatewaySchema().getTypeMap())) {
    if (type.name.startsWith('__') || (!isObjectType(type) && !isInterfaceType(type))) continue;
    for (const name of Object.keys(type.getFields())) {
      const field = `${type.name}.${name}`;
      const isOther = others.includes(field) || otherTypes.test(type.name);
      if (isRememberableField(type.name, name) === isOther) undecided.push(field);
      decided.add(field);
    }
  }
  expect(undecided).toEqual([]);
  const listed = Object.entries(rememberableFields).flatMap(([type, names]) =>
    names.split(' ').map((name) => `${type}.${name}`),
  );
  expect(listed.filter((field) => !decided.has(field))).toEqual([]);
});

test('of a generated schema, everything is remembered but links, pictures and the gateway', async () => {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  const names = ['latitude', 'longitude'];
  for (const [d, name] of names.entries())
    await hierarchy.createArray(`/${name}`, {
      ...{ shape: [4], dtype: 'float64', dimensionNames: [name] },
      attributes: { standard_name: name, units: d === 0 ? 'degrees_north' : 'degrees_east' },
    });
  await hierarchy.createArray('/t', { shape: [4, 4], dtype: 'float32', dimensionNames: names });
  for (const member of ['a', 'b', 'c'])
    await hierarchy.createArray(`/g/${member}/v`, {
      ...{ shape: [4], dtype: 'int32', dimensionNames: ['x'] },
    });
  const gateway = createGateway({
    stores: [{ name: 's', store, writable: true, typedSchema: { families: { '/g': true } } }],
  });
  const schema = await gateway.as(fullAccess).forStore('s').schema();
  const generic = gatewaySchema();
  const excluded = new Set<string>();
  const included = new Set<string>();
  const types = new Set<GraphQLNamedType>([schema.getQueryType() ?? expect.fail('there is no query')]);
  for (const type of types) {
    if (generic.getType(type.name) === type || (!isObjectType(type) && !isInterfaceType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      (isRememberableGenerated(type, field, generic) ? included : excluded).add(field.name);
      types.add(getNamedType(field.type));
    }
  }
  expect([...excluded].toSorted()).toEqual(['_gateway', 'href', 'image', 'tiles', 'zarrUrl']);
  for (const name of [
    't',
    'g',
    '_members',
    '_store',
    'values',
    'mean',
    'cumulative',
    'coordinates',
    '_select',
    'value',
  ])
    expect(included).toContain(name);
  await gateway.close();
});
