/** Default values of arguments and input fields. An explicit null means the default, as if it were omitted. */
import {
  coerceInputLiteral,
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';

/** Returns the default as resolvers receive it; undefined if there is none. */
export function defaultOf({
  type,
  default: given,
}: Pick<GraphQLArgument | GraphQLInputField, 'type' | 'default'>): unknown {
  if (given === undefined) return undefined;
  return given.literal === undefined ? given.value : coerceInputLiteral(given.literal, type);
}

/** Replaces nulls that have a default, without changing the given value. */
type FillNulls = (value: unknown) => unknown;

/**
 * Replaces nulls in the arguments of the fields of types by their defaults, so that resolvers receive the same arguments for null
 * as for an omitted argument. GraphQL itself passes an explicit null to the resolver.
 */
export function readNullAsDefault(types: Iterable<GraphQLNamedType>): void {
  const fillOf = createFills();
  for (const type of types) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) fillField(field, fillMembers(field.args, fillOf));
  }
}

function fillField(field: GraphQLField<unknown, unknown>, fill: FillNulls | undefined): void {
  if (fill === undefined) return;
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = (source, args, context, info) => resolve(source, argumentsFrom(fill(args)), context, info);
  if (subscribe !== undefined)
    field.subscribe = (source, args, context, info) =>
      subscribe(source, argumentsFrom(fill(args)), context, info);
}

function argumentsFrom(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Creates each function once per type; undefined for types without defaults. */
function createFills(): (type: GraphQLInputType) => FillNulls | undefined {
  const known = new Map<GraphQLInputType, FillNulls | undefined>();
  return function fillOf(given) {
    const type = getNullableType(given);
    if (known.has(type)) return known.get(type);
    let fill: FillNulls | undefined;
    // Entered before its members, because an input type may contain itself.
    known.set(type, (value) => (fill === undefined ? value : fill(value)));
    if (isListType(type)) fill = fillEntries(fillOf(type.ofType));
    else if (isInputObjectType(type)) fill = fillMembers(Object.values(type.getFields()), fillOf);
    known.set(type, fill);
    return fill;
  };
}

function fillEntries(fill: FillNulls | undefined): FillNulls | undefined {
  if (fill === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const entries: readonly unknown[] = value;
    const filled = entries.map((entry) => fill(entry));
    return filled.some((entry, i) => entry !== entries[i]) ? filled : entries;
  };
}

function fillMembers(
  members: readonly (GraphQLArgument | GraphQLInputField)[],
  fillOf: (type: GraphQLInputType) => FillNulls | undefined,
): FillNulls | undefined {
  const fills = members
    .map((member) => ({ name: member.name, preset: defaultOf(member), fill: fillOf(member.type) }))
    .filter(({ preset, fill }) => preset !== undefined || fill !== undefined);
  if (fills.length === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    let filled = value;
    for (const { name, preset, fill } of fills) {
      const before = value[name];
      const after = before === null ? (preset ?? null) : (fill?.(before) ?? before);
      if (after !== before) filled = { ...filled, [name]: after };
    }
    return filled;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
