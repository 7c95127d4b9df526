import {
  buildSchema,
  getNullableType,
  type GraphQLArgument,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLObjectType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { fullAccess, typeDefs } from '../../server/index.js';
import { defaultOf, readNullAsDefault } from '../../server/resolvers/input-defaults.js';
import { gatewaySchema } from '../../server/resolvers/schema.js';
import { execute, sampleGateway } from './gateway-client.js';

type Member = GraphQLArgument | GraphQLInputField;

/** All arguments and input fields of the schema by name. */
function inputs(): Map<string, Member> {
  const found = new Map<string, Member>();
  for (const type of Object.values(gatewaySchema().getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) found.set(`${type.name}.${field.name}`, field);
    if (isObjectType(type))
      for (const field of Object.values(type.getFields()))
        for (const argument of field.args)
          found.set(`${type.name}.${field.name}(${argument.name})`, argument);
  }
  return found;
}

test('no argument or input field with a default is non-null, so that generated clients accept null', () => {
  const defaults = [...inputs()].filter(([, member]) => member.default !== undefined);
  expect(defaults.length).toBeGreaterThan(40);
  expect(defaults.filter(([, { type }]) => isNonNullType(type)).map(([name]) => name)).toEqual([]);
});

/** Members with a default have the value that `choose` returns; others are omitted unless they contain such members. */
function sampleOf(members: readonly Member[], choose: (member: Member) => unknown): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  for (const member of members) {
    if (member.default !== undefined) sample[member.name] = choose(member);
    else {
      const inner = sampleOfType(member.type, choose);
      if (inner !== undefined) sample[member.name] = inner;
    }
  }
  return sample;
}

function sampleOfType(given: GraphQLInputType, choose: (member: Member) => unknown): unknown {
  const type = getNullableType(given);
  if (isListType(type)) {
    const entry = sampleOfType(type.ofType, choose);
    return entry === undefined ? undefined : [entry];
  }
  if (!isInputObjectType(type)) return undefined;
  const sample = sampleOf(Object.values(type.getFields()), choose);
  return Object.keys(sample).length === 0 ? undefined : sample;
}

test('resolvers and subscriptions receive the default for null in arguments and nested inputs', () => {
  const schema = buildSchema(typeDefs);
  const seen: unknown[] = [];
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const own = objects.filter(({ name }) => !name.startsWith('__'));
  const fields = own.flatMap((type) => Object.values(type.getFields()));
  for (const field of fields) {
    field.resolve = (_, args) => void seen.push(args);
    field.subscribe = (_, args) => void seen.push(args);
  }
  readNullAsDefault(Object.values(schema.getTypeMap()));
  let compared = 0;
  for (const field of fields) {
    const nulls = sampleOf(field.args, () => null);
    if (Object.keys(nulls).length === 0) continue;
    for (const resolve of [field.resolve, field.subscribe])
      if (resolve !== undefined) Reflect.apply(resolve, undefined, [undefined, nulls]);
    const filled = sampleOf(field.args, (member) => defaultOf(member));
    expect(seen.splice(0), field.name).toEqual([filled, filled]);
    expect(nulls, 'the given arguments are unchanged').toEqual(sampleOf(field.args, () => null));
    compared += 1;
  }
  expect(compared).toBeGreaterThan(20);
});

test('fields that share a resolver receive the defaults of their arguments', () => {
  const resolve = (_: unknown, args: unknown) => args;
  const one = { x: { type: GraphQLInt, default: { value: 1 } } };
  const two = { x: { type: GraphQLInt, default: { value: 2 } } };
  const field = (args: GraphQLFieldConfigArgumentMap) => ({ type: GraphQLInt, args, resolve });
  const type = new GraphQLObjectType({ name: 'Query', fields: { a: field(one), b: field(one), c: field(two), d: field({ x: { type: GraphQLInt } }) } }); // prettier-ignore
  readNullAsDefault([type]);
  const fields = Object.values(type.getFields());
  const received = fields.map((own) => Reflect.apply(own.resolve ?? resolve, undefined, [undefined, { x: null }])); // prettier-ignore
  expect(received).toEqual([{ x: 1 }, { x: 1 }, { x: 2 }, { x: null }]);
  expect(fields[1]?.resolve).toBe(fields[0]?.resolve);
});

describe('a query with nulls has the result of one without arguments', () => {
  test.each([
    ['stores { totalCount nodes { name } }', 'stores(first: null) { totalCount nodes { name } }'],
    [
      'store(name: "coads") { dataset { variable(name: "SST") { slice(select: { text: "0, 0" }) { values } } } }',
      'store(name: "coads") { dataset(path: null) { variable(name: "SST") { slice(select: { text: "0, 0" }, decode: null, maskOutOfRange: null) { values(nonFinite: null) } } } }',
    ],
    [
      'slices(requests: [{ store: "coads", path: "/SST", select: { dims: [{ index: 0 }, { slice: { stop: 3 } }, { index: 5 }] } }]) { values }',
      'slices(requests: [{ store: "coads", path: "/SST", select: { dims: [{ index: 0 }, { slice: { stop: 3, step: null } }, { index: 5 }] }, decode: null, steps: null }]) { values }',
    ],
    [
      'store(name: "coads") { array(path: "SST") { slice { statistics { quantiles } } } }',
      'store(name: "coads") { array(path: "SST") { slice { statistics { quantiles(q: null) } } } }',
    ],
  ])('%s', async (omitted, nulls) => {
    const gateway = sampleGateway();
    const expected = await execute(gateway, `{ ${omitted} }`);
    expect(expected.errors).toEqual([]);
    const result = await execute(gateway, `{ ${nulls} }`);
    expect(result.errors).toEqual([]);
    expect(result.data).toEqual(expected.data);
  });

  test('with a variable, also in the computed cost', async () => {
    const gateway = sampleGateway();
    const query =
      'query Q($first: Int) { store(name: "coads") { search(first: $first) { nodes { path } } } }';
    const all = await execute(gateway, query, {});
    expect(all.errors).toEqual([]);
    expect((await execute(gateway, query, { first: null })).data).toEqual(all.data);
    const costOf = async (variables: object) => {
      const body = JSON.stringify({ query, variables, extensions: { cost: 'only' } });
      const headers = { 'content-type': 'application/json' };
      const request = new Request('http://localhost/graphql', { method: 'POST', headers, body });
      const { extensions } = JSON.parse(await (await gateway.fetch(request, fullAccess)).text());
      return extensions.cost.fields;
    };
    expect(await costOf({})).toBeGreaterThan(100);
    expect(await costOf({ first: null })).toBe(await costOf({}));
  });
});
