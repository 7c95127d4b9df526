/** The types of the generic schema, which generated schemas share: the same objects. */
import {
  assertInputObjectType,
  assertObjectType,
  assertScalarType,
  type GraphQLArgument,
  type GraphQLArgumentConfig,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import type { GatewayContext } from '../resolvers/context.js';
import { createSelectionTypes, type SelectionTypes } from './selections.js';

export type FieldConfig<Source> = GraphQLFieldConfig<Source, GatewayContext>;
export type Arguments = Readonly<Record<string, unknown>>;
/** The resolver of a generic field, with arguments as they are given there. */
export type Resolve = (
  source: unknown,
  args: Arguments,
  context: GatewayContext,
  info: GraphQLResolveInfo,
) => unknown;

export interface GenericTypes {
  readonly selections: SelectionTypes;
  readonly object: (name: string) => GraphQLObjectType;
  /** An enum or an input object. */
  input(name: string): GraphQLEnumType | GraphQLInputObjectType;
  scalar(name: string): GraphQLScalarType;
  /** An argument of a field of `Slice`, with its type, default and description. */
  readonly argument: (field: string, name: string) => GraphQLArgumentConfig;
  /** A field of a generic type for another source. The description is the first sentence of the generic one. */
  readonly field: <Source>(
    type: string,
    name: string,
    sourceOf: (source: Source) => unknown,
  ) => FieldConfig<Source>;
  /** The resolver of a generic field. */
  readonly resolver: (type: string, name: string) => Resolve;
}

const known = new WeakMap<GraphQLSchema, GenericTypes>();

export function genericTypesOf(schema: GraphQLSchema): GenericTypes {
  const types = known.get(schema) ?? createGenericTypes(schema);
  known.set(schema, types);
  return types;
}

function createGenericTypes(schema: GraphQLSchema): GenericTypes {
  const named = (name: string): GraphQLNamedType => {
    const type = schema.getType(name);
    if (type === undefined) throw new TypeError(`the generic schema has no type ${name}`);
    return type;
  };
  const object = (name: string): GraphQLObjectType => assertObjectType(named(name));
  const fieldOf = (type: string, name: string) => {
    const field = object(type).getFields()[name];
    if (field === undefined) throw new TypeError(`the generic type ${type} has no field ${name}`);
    return field;
  };
  const resolver = (type: string, name: string): Resolve => {
    const { resolve } = fieldOf(type, name);
    return (source, args, context, info) => {
      if (resolve !== undefined) return resolve(source, args, context, info);
      const value: unknown =
        typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined;
      return value;
    };
  };
  const selections = createSelectionTypes({
    BigInt: assertScalarType(named('BigInt')),
    JSON: assertScalarType(named('JSON')),
    LabelAt: assertInputObjectType(named('LabelAt')),
    SliceRange: assertInputObjectType(named('SliceRange')),
  });
  const argumentsByName = new Map<string, GraphQLArgumentConfig>();
  return {
    selections,
    object,
    resolver,
    input(name) {
      const type = named(name);
      if (!isEnumType(type) && !isInputObjectType(type)) throw new TypeError(`${name} is no input type`);
      return type;
    },
    scalar: (name) => assertScalarType(named(name)),
    argument(field, name) {
      const known = argumentsByName.get(`${field} ${name}`);
      if (known !== undefined) return known;
      const argument = fieldOf('Slice', field).args.find((candidate) => candidate.name === name);
      if (argument === undefined) throw new TypeError(`Slice.${field} has no argument ${name}`);
      const config = described(argument);
      argumentsByName.set(`${field} ${name}`, config);
      return config;
    },
    field(type, name, sourceOf) {
      const field = fieldOf(type, name);
      const resolve = resolver(type, name);
      return {
        type: field.type,
        description: sentenceOf(field),
        args: Object.fromEntries(field.args.map((argument) => [argument.name, described(argument)])),
        resolve: (source, args: Arguments, context, info) => resolve(sourceOf(source), args, context, info),
      };
    },
  };
}

/** Found once: each list of dimensions has types with all of them. */
const sentences = new WeakMap<GraphQLArgument | GraphQLField<unknown, unknown>, string>();

function sentenceOf(element: GraphQLArgument | GraphQLField<unknown, unknown>): string {
  const sentence = sentences.get(element) ?? firstSentence(element.description);
  sentences.set(element, sentence);
  return sentence;
}

function described(argument: GraphQLArgument): GraphQLArgumentConfig {
  return { ...plain(argument.toConfig()), description: sentenceOf(argument) };
}

/** Without the syntax tree, whose description is the complete one. */
function plain({ type, default: preset }: GraphQLArgumentConfig): GraphQLArgumentConfig {
  return { type, ...(preset === undefined ? {} : { default: preset }) };
}

export function firstSentence(description: string | null | undefined): string {
  const text = (description ?? '').replaceAll(/\s+/g, ' ').trim();
  const end = /[.:](?= [A-Z`"]|$)/.exec(text);
  return end === null ? text : `${text.slice(0, end.index)}.`;
}
