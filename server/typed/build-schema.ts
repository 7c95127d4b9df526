/** The executable schema of a store, from its facts. */
import {
  DirectiveLocation,
  type GraphQLField,
  GraphQLDirective,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
} from 'graphql';
import { readNullAsDefault } from '../resolvers/input-defaults.js';
import { startInTurns } from '../resolvers/start-in-turns.js';
import { buildTypes } from './build-types.js';
import { withFamilies } from './families.js';
import type { FieldFacts, GroupFacts, TypedStoreFacts } from './facts.js';
import { genericTypesOf } from './generic-types.js';
import { limitModel } from './limit-model.js';
import { createNames } from './names.js';
import { madeNames } from './slice-types.js';
import { mutationType, subscriptionType } from './write-types.js';

/** Options of a store, from its configuration. */
export interface TypedSchemaOptions {
  /** Whether the store has a separate schema. @default true */
  readonly enabled?: boolean | undefined;
  /** GraphQL names by names of the store. @default names are derived */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Whether the child groups of a path share one type, by path. @default they do from 20 equal groups */
  readonly families?: Readonly<Record<string, boolean>> | undefined;
  /** Patterns of paths of groups without fields for their members. @default none */
  readonly collapse?: readonly string[] | undefined;
  /** @default maxSchemaFields of the process */
  readonly maxFields?: number | undefined;
}

/** Arrays and groups that have fields, by default. */
export const MAX_SCHEMA_FIELDS = 2500;

const zarrDirective = new GraphQLDirective({
  name: 'zarr',
  description: 'What a generated element stands for.',
  args: { name: { type: GraphQLString }, path: { type: GraphQLString } },
  locations: [
    DirectiveLocation.FIELD_DEFINITION,
    DirectiveLocation.ARGUMENT_DEFINITION,
    DirectiveLocation.ENUM_VALUE,
    DirectiveLocation.INPUT_FIELD_DEFINITION,
    DirectiveLocation.OBJECT,
  ],
});

/** The model after families and limits: what the schema depends on. */
export function shownModel(
  facts: TypedStoreFacts,
  { families = {}, maxFields = MAX_SCHEMA_FIELDS }: TypedSchemaOptions,
): TypedStoreFacts {
  // prettier-ignore
  return { ...facts, root: limitModel(withFamilies(facts.root, families), maxFields) };
}

/**
 * Yields between pieces of work.
 * @param generic the generic schema, whose types the result shares
 * @param isWritable whether the caller may write the array at a path
 */
export function* buildSchema(
  model: TypedStoreFacts,
  options: Pick<TypedSchemaOptions, 'names'>,
  generic: GraphQLSchema,
  isWritable: (path: string) => boolean,
): Generator<void, GraphQLSchema, void> {
  const types = genericTypesOf(generic);
  const names = createNames(namesIn(model), options.names ?? {});
  const { query, types: own, slices, filled } = yield* buildTypes(model, names, types);
  // GraphQL creates the fields of a type when they are first used.
  for (const type of own) {
    if (isObjectType(type)) type.getFields();
    yield;
  }
  const { store, root, isArray } = model;
  const mutation = mutationType({ store, root, isArray, names, generic: types, slices, query, isWritable });
  yield;
  const schema = withPlainStrings(generic, () =>
    new GraphQLSchema({
      query,
      ...(mutation === undefined ? {} : { mutation: mutation.type }),
      subscription: subscriptionType({ store, generic: types, query }),
      types: own,
      directives: [...generic.getDirectives(), zarrDirective],
      assumeValid: true,
    })); // prettier-ignore
  yield;
  const generated = Object.values(schema.getTypeMap()).filter((type) => generic.getType(type.name) !== type);
  const isFilled = ({ resolve }: GraphQLField<unknown, unknown>): boolean =>
    filled.has(resolve) || mutation?.filled.has(resolve) === true;
  readNullAsDefault(generated, isFilled);
  startInTurns(schema);
  return schema;
}

/**
 * A schema must not have two types of one name, and `Base64Array.data` has a second scalar named "String". The field has
 * the first one while a schema is constructed.
 */
function withPlainStrings(generic: GraphQLSchema, construct: () => GraphQLSchema): GraphQLSchema {
  const type = generic.getType('Base64Array');
  const data = isObjectType(type) ? type.getFields()['data'] : undefined;
  if (data === undefined) throw new TypeError('the generic schema has no field Base64Array.data');
  const before = data.type;
  data.type = new GraphQLNonNull(GraphQLString);
  try {
    return construct();
  } finally {
    data.type = before;
  }
}

/** All names of the store that become names of the schema. */
function* namesIn({ root, isArray }: TypedStoreFacts): Generator<string> {
  yield* madeNames;
  yield* namesInGroup(root, isArray, new Set());
}

/** @param seen lists of coordinates, which variables along the same dimensions share */
function* namesInGroup(group: GroupFacts, isArray: boolean, seen: Set<readonly string[]>): Generator<string> {
  for (const { name, dims, coordinates, fields } of group.arrays) {
    if (!isArray) yield name;
    for (const dim of dims) yield dim.name;
    if (!seen.has(coordinates)) yield* coordinates;
    seen.add(coordinates);
    yield* namesInFields(fields);
  }
  if (group.family !== undefined) {
    yield* group.family.members;
    yield* namesInGroup(group.family.union, false, seen);
  }
  if (group.name !== '') yield group.name;
  for (const child of group.groups) yield* namesInGroup(child, false, seen);
}

function* namesInFields(fields: readonly FieldFacts[]): Generator<string> {
  for (const { name, fields: inner } of fields) {
    yield name;
    yield* namesInFields(inner);
  }
}
