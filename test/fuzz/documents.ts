/** Generates GraphQL documents from a schema: well-formed, with valid and invalid arguments. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from '../interop/random.js';

/** Literals of arguments and input fields with a known meaning, by "Type.field.argument", "Input.field" or only the name. */
export type NamedLiterals = Readonly<Record<string, readonly string[]>>;

/** Values of the scalar JSON and of other arguments without a known meaning. */
const anyLiterals = [
  'null', 'true', 'false', '0', '1', '-1', '2', '1.5', '-0.0', '1e308', '9007199254740991', '9007199254740993',
  '10000000000000000000', '-9223372036854775808', '""', '"0"', '"1"', '"x"', '"NaN"', '"Infinity"', '"2000"',
  '"2000-02-30"', '"-0001-01"', '"9007199254740993"', '"__proto__"', '"\\u202e"', '[]', '[1]', '[null]', '[[1]]', '{}',
  '{a: 1}', '[1, 2, 3]', '["a", "b"]', '{type: "Polygon", coordinates: [[[0, 0], [3, 0], [3, 3], [0, 0]]]}',
] as const; // prettier-ignore

const scalarLiterals: NamedLiterals = {
  Int: ['0', '1', '2', '3', '7', '100', '-1', '2147483647', '-2147483648', '5000', '1000000'],
  BigInt: [
    '0',
    '1',
    '2',
    '-1',
    '"3"',
    '9007199254740991',
    '"9223372036854775807"',
    '-9223372036854775808',
    '1e20',
  ],
  Float: ['0', '0.5', '1', '-1', '1e308', '-0.0', '0.02', '1e-320', '360'],
  Boolean: ['true', 'false'],
  String: ['""', '"x"', '"0"', '"1"', '"a/b"', '"/"', '"__proto__"', '"\\u0000"'],
  ID: ['""', '"x"', '"MTIz"'],
};

const chance = {
  /** Of a document with literals of another type; most of them are rejected as a whole. */
  invalidDocument: 0.15,
  /** Of such a literal. */
  invalid: 0.05,
  /** Of an optional argument or field. */
  optional: 0.35,
  /** Of a literal of another argument. */
  otherName: 0.12,
  /** Of a field of a deferred query. */
  deferred: 0.2,
} as const;

/** Maximum number of fields of a document. */
const MAX_FIELDS = 60;
const MAX_DEPTH = 12;

export interface DocumentGenerator {
  query(random: Random): string;
  /** A query with `@defer` on some of its selections. */
  deferred(random: Random): string;
  /** A subscription with one field, as GraphQL requires. */
  subscription(random: Random): string;
  mutation(random: Random): string;
}

type Kind = 'query' | 'mutation' | 'subscription';

/**
 * @param named literals of arguments and input fields
 * @param weights how often a field is chosen, by "Type.field"; 1 by default
 */
export function documentGenerator(
  schema: GraphQLSchema,
  named: NamedLiterals,
  weights: Readonly<Record<string, number>> = {},
): DocumentGenerator {
  const every = Object.values(named).flat();
  const everyText = every.filter((text) => text.startsWith('"'));

  function generate(root: GraphQLObjectType, kind: Kind, random: Random, isDeferred = false): string {
    let left = MAX_FIELDS;
    let alias = 0;
    const invalid = random.chance(chance.invalidDocument) ? chance.invalid : 0;

    function literal(type: GraphQLInputType, name: string, depth: number): string {
      if (random.chance(invalid)) return random.choose(anyLiterals);
      if (isNonNullType(type)) return literal(type.ofType, name, depth);
      if (isListType(type)) {
        const length = depth > 6 ? 0 : random.choose([0, 1, 1, 1, 2, 2, 3]);
        return `[${Array.from({ length }, () => literal(type.ofType, name, depth + 1)).join(', ')}]`;
      }
      if (isInputObjectType(type)) {
        const fields = Object.values(type.getFields());
        if (type.isOneOf)
          return `{${random.chance(1 - invalid) ? entry(type.name, random.choose(fields), depth) : ''}}`;
        const given = fields.filter(
          (field) => isRequired(field) || random.chance(depth > 6 ? 0 : chance.optional),
        );
        return `{${given.map((field) => entry(type.name, field, depth)).join(', ')}}`;
      }
      if (isEnumType(type)) return random.choose(type.getValues()).name;
      const known = named[name] ?? named[name.slice(name.lastIndexOf('.') + 1)];
      if (known !== undefined && random.chance(1 - chance.otherName)) return random.choose(known);
      const scalars = scalarLiterals[type.name];
      if (scalars === undefined)
        return random.chance(0.3) ? random.choose(every) : random.choose(anyLiterals);
      return type.name === 'String' && random.chance(0.5) ? random.choose(everyText) : random.choose(scalars);
    }

    function entry(of: string, field: GraphQLInputField, depth: number): string {
      return `${field.name}: ${literal(field.type, `${of}.${field.name}`, depth + 1)}`;
    }

    function argumentsOf(of: string, args: readonly GraphQLArgument[]): string {
      const given = args.filter((arg) => isRequired(arg) || random.chance(chance.optional));
      if (given.length === 0) return '';
      return `(${given.map((arg) => `${arg.name}: ${literal(arg.type, `${of}.${arg.name}`, 0)}`).join(', ')})`;
    }

    function chosen(type: GraphQLObjectType, depth: number): GraphQLField<unknown, unknown>[] {
      const fields = Object.values(type.getFields());
      const isTooDeep = depth >= MAX_DEPTH;
      const weighted = fields
        .filter((field) => !isTooDeep || isLeafType(getNamedType(field.type)))
        .flatMap((field) => Array.from({ length: weights[`${type.name}.${field.name}`] ?? 1 }, () => field));
      if (weighted.length === 0) return [];
      const isSingle = kind === 'subscription' && depth === 0;
      const counts = isSingle ? [1] : depth < 2 ? [1, 1, 2] : [1, 2, 2, 3];
      return Array.from({ length: random.choose(counts) }, () => random.choose(weighted));
    }

    function selection(type: GraphQLObjectType, depth: number): string {
      const parts: string[] = [];
      for (const field of chosen(type, depth)) {
        if (left-- <= 0) break;
        const text = `a${alias++}: ${field.name}${argumentsOf(`${type.name}.${field.name}`, field.args)}`;
        const named = getNamedType(field.type);
        const add = (part: string): unknown =>
          parts.push(isDeferred && random.chance(chance.deferred) ? `... @defer {${part}}` : part);
        if (isLeafType(named)) add(text);
        else if (isObjectType(named)) add(`${text} ${selection(named, depth + 1)}`);
        else if (isAbstractType(named)) {
          const on = schema
            .getPossibleTypes(named)
            .map((one) => `... on ${one.name} ${selection(one, depth + 1)}`);
          add(`${text} {__typename ${on.join(' ')}}`);
        }
      }
      return `{${parts.length === 0 ? '__typename' : parts.join(' ')}}`;
    }

    return `${kind} ${selection(root, 0)}`;
  }

  const rootOf = (type: GraphQLObjectType | null | undefined): GraphQLObjectType => {
    if (type == null) throw new TypeError('the schema has no such root type');
    return type;
  };
  return {
    query: (random) => generate(rootOf(schema.getQueryType()), 'query', random),
    deferred: (random) => generate(rootOf(schema.getQueryType()), 'query', random, true),
    subscription: (random) => generate(rootOf(schema.getSubscriptionType()), 'subscription', random),
    mutation: (random) => generate(rootOf(schema.getMutationType()), 'mutation', random),
  };
}

function isRequired({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}
