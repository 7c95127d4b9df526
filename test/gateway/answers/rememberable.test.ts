import { isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { isRememberableField, rememberableFields } from '../../../server/gateway/answers/rememberable.js';
import { gatewaySchema } from '../../../server/resolvers/schema.js';

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
