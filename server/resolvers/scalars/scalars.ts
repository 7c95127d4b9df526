/** Scalars of the schema. In resolvers, counts are numbers or bigints, and values are `NDArrayValue`s. */
import {
  GraphQLError,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { Base64Text } from '../../transport/base64-text.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { rememberFloat } from '../../zarr/index.js';
import { countValue } from './big-int.js';

const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 64n - 1n;

export const bigIntScalar = new GraphQLScalarType<number | bigint, number | bigint>({
  name: 'BigInt',
  serialize(value) {
    if (typeof value === 'number') return countValue(value);
    if (typeof value === 'bigint') return value;
    throw new TypeError(`BigInt cannot represent a ${typeof value}`);
  },
  parseValue: parseBigInt,
  parseLiteral: (node) =>
    withLocation(node, () => {
      if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseDigits(node.value);
      throw new GraphQLError(`BigInt must be an integer or a string of decimal digits, got ${node.kind}`);
    }),
});

/** Adds the location of a literal to its error: graphql adds none to errors of this class. */
export function withLocation<T>(nodes: ValueNode, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new GraphQLError(error.message, { nodes, originalError: error });
  }
}

function parseBigInt(value: unknown): number | bigint {
  if (typeof value === 'string') return parseDigits(value);
  if (typeof value === 'bigint') return parseDigits(value.toString());
  if (typeof value !== 'number')
    throw new GraphQLError(`BigInt must be an integer or a string of decimal digits, got ${typeof value}`);
  if (!Number.isInteger(value)) throw new GraphQLError(`BigInt must be an integer, got ${value}`);
  if (!Number.isSafeInteger(value))
    throw new GraphQLError(
      `the number ${value} is beyond 2^53 - 1, where JSON numbers are not exact; pass it as a string`,
    );
  return value === 0 ? 0 : value;
}

function parseDigits(text: string): number | bigint {
  if (!/^-?\d{1,20}$/.test(text))
    throw new GraphQLError(
      `BigInt must be a 64-bit integer in decimal digits, got ${JSON.stringify(text.slice(0, 40))}`,
    );
  const value = BigInt(text);
  if (value < MIN_LONG || value > MAX_LONG) throw new GraphQLError(`${text} does not fit in 64 bits`);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => parseJsonLiteral(node, variables),
});

/**
 * Maximum number of digits of an integer literal. Longer literals are parsed as floats, because no Zarr data
 * type has longer integers.
 */
const MAX_DIGITS = 64;

/**
 * Like graphql's parser, but keeps all digits of long integers, and notes which integers are written as
 * floats.
 */
function parseJsonLiteral(node: ValueNode, variables: Record<string, unknown> | null | undefined): unknown {
  if (node.kind === Kind.INT) {
    const number = Number(node.value);
    return Number.isSafeInteger(number) || node.value.length > MAX_DIGITS ? number : BigInt(node.value);
  }
  if (node.kind === Kind.LIST) {
    const list = node.values.map((value) => parseJsonLiteral(value, variables));
    node.values.forEach((value, i) => rememberIfFloat(list, String(i), value));
    return list;
  }
  if (node.kind === Kind.OBJECT) {
    const object = Object.fromEntries(
      node.fields.map((field) => [field.name.value, parseJsonLiteral(field.value, variables)]),
    );
    for (const { name, value } of node.fields) rememberIfFloat(object, name.value, value);
    return object;
  }
  return valueFromASTUntyped(node, variables);
}

function rememberIfFloat(container: object, key: string, node: ValueNode): void {
  if (node.kind === Kind.FLOAT && Number.isInteger(Number(node.value))) rememberFloat(container, key);
}

export const ndArrayScalar = new GraphQLScalarType<unknown, NDArrayValue>({
  name: 'NDArray',
  serialize(value) {
    if (value instanceof NDArrayValue) return value;
    throw new TypeError('NDArray can only represent an NDArrayValue');
  },
  // The data type of the target determines the meaning, so the value is not converted here.
  parseValue: (value) => value,
  parseLiteral: (node, variables) => parseJsonLiteral(node, variables),
});

/**
 * The scalar String for long text. The value is a source of text that the transport writes piece by piece;
 * clients receive an ordinary String.
 */
export const longStringScalar = new GraphQLScalarType<string, string | Base64Text>({
  name: 'String',
  description: GraphQLString.description,
  serialize: (value) => (value instanceof Base64Text ? value : GraphQLString.serialize(value)),
  parseValue: (value) => GraphQLString.parseValue(value),
});
