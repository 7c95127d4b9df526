/** Fields with @semanticNonNull are null only together with an error. */
import { buildSchema, isInterfaceType, isObjectType, Kind, type GraphQLField } from 'graphql';
import { expect, test } from 'vitest';
import { typeDefs } from '../../server/index.js';
import { gatewaySchema } from '../../server/resolvers/schema.js';
import { execute, sampleGateway } from './gateway-client.js';

/** Each field with the levels that the directive names. */
function* semanticFields(): Generator<[string, readonly number[]]> {
  for (const type of Object.values(buildSchema(typeDefs).getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const levels = levelsOf(field);
      if (levels !== undefined) yield [`${type.name}.${field.name}`, levels];
    }
  }
}

function levelsOf({ astNode }: GraphQLField<unknown, unknown>): readonly number[] | undefined {
  const directive = astNode?.directives?.find(({ name }) => name.value === 'semanticNonNull');
  if (directive === undefined) return undefined;
  const [levels] = directive.arguments ?? [];
  return levels?.value.kind === Kind.LIST
    ? levels.value.values.map((value) => (value.kind === Kind.INT ? Number(value.value) : -1))
    : [0];
}

const fields = new Map(semanticFields());

test('the text of the schema contains the directive and its uses', () => {
  expect(typeDefs).toContain('directive @semanticNonNull(');
  expect(fields.get('Slice.estimate')).toEqual([0]);
  expect(fields.get('Query.slices')).toEqual([1]);
  // Null for NaN, and for a single missing value.
  expect(fields.has('Slice.values')).toBe(false);
  expect(fields.size).toBeGreaterThan(60);
});

test('introspection contains the directive', async () => {
  const { data } = await execute(
    sampleGateway(),
    '{ __schema { directives { name locations args { name type { kind } defaultValue } } } }',
  );
  expect(data.__schema.directives).toContainEqual({
    name: 'semanticNonNull',
    locations: ['FIELD_DEFINITION'],
    args: [{ name: 'levels', type: { kind: 'NON_NULL' }, defaultValue: '[0]' }],
  });
});

const document = `{
  stores { totalCount }
  nodes(ids: []) { id }
  slices(requests: [{ store: "coads", path: "SST", select: { text: "0, 0, 0" } }, { store: "coads", path: "absent" }]) { shape }
  store(name: "coads") {
    node { id } group {
      consolidatedIsStale multiscales { name }
      members(first: 2) { nodes { id } edges { node { id } } }
      group(path: "absent") { id } array(path: "SST") { id } dataset { id }
    }
    search(first: 1) { nodes { id } }
    array(path: "SST") {
      storage { objects } chunk(index: [0, 0, 0]) { exists }
      slice(select: { text: "0, 40:44, 60:64" }) {
        coordinates { name base64 { data } } estimate { chunks } base64 { data } href field(name: "x") { shape }
        slice { shape } coarsen(to: [{ dim: "0", size: 1 }]) { values }
        group(by: { values: { dim: "COADSY" } }, reduce: MEAN) { values }
        anomaly(by: { values: { dim: "COADSY" } }) { values }
        line(width: 10) { estimate { chunks } x { base64 { data } } y { base64 { data } } }
        image { href estimate { chunks } legend { href } } tiles { json template }
        reduce(by: MEAN) { values } rolling(dim: "0", window: 2, by: MEAN) { values }
        interpolate(at: [{ dim: "COADSX", values: [150] }]) { values }
        within(geometry: { type: "Polygon", coordinates: [[[0, 0], [300, 0], [300, 80], [0, 0]]] }) { values }
        statistics { estimate { chunks } count missing sum quantiles histogram { edges counts below above } }
      }
      none: slice(select: { text: "0:0, 0, 0" }) {
        statistics { count missing min sum quantiles histogram { edges counts below above } }
      }
    }
    dataset {
      dimensions { name } children { nodes { id } edges { node { id } } } select(named: []) { id }
      variables(names: ["SST", "absent"]) { name }
      variable(name: "SST") { slice { shape } } compute(expression: "SST - AIRT") { shape }
    }
  }
}`;

test('values of these fields are null only together with an error', async () => {
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  for (const type of Object.values(gatewaySchema().getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const levels = fields.get(name);
      if (levels === undefined) continue;
      const { resolve } = field;
      if (resolve === undefined) continue;
      field.resolve = async (...given) => {
        const value: unknown = await resolve(...given);
        const items: readonly unknown[] = Array.isArray(value) ? value : [];
        // An item that fails is a rejected promise, or an error.
        const settled = levels.includes(1) ? await Promise.allSettled(items) : [];
        const isNull = settled.some((item) => item.status === 'fulfilled' && item.value == null);
        if ((levels.includes(0) && value == null) || isNull) wrong.push(name);
        seen.set(name, (seen.get(name) ?? 0) + 1);
        return value;
      };
    }
  }
  const { data } = await execute(sampleGateway(), document);
  expect(data.store.array.none.statistics.min).toBeNull();
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});
