/** Default values of arguments and input fields. An explicit null means the default, as if it were omitted. */
import {
  coerceInputLiteral,
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldResolver,
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

/** The same for the members of an object. */
type FillMembers = (values: Arguments) => Arguments;

/** Replaces nulls in the values of arguments by their defaults, for a resolver that many fields share. */
export function nullsAsDefaults(args: GraphQLFieldConfigArgumentMap): (values: Arguments) => Arguments {
  const members = Object.entries(args).map(([name, config]) => ({ name, type: config.type, default: config.default })); // prettier-ignore
  const fill = fillMembers(members, createFills());
  return (values) => (fill === undefined ? values : fill(values));
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Replaces nulls in the arguments of the fields of types by their defaults, so that resolvers receive the same arguments for null
 * as for an omitted argument. GraphQL itself passes an explicit null to the resolver.
 * @param isFilled whether the resolver of a field does so itself
 */
export function readNullAsDefault(
  types: Iterable<GraphQLNamedType>,
  isFilled: (field: GraphQLField<unknown, unknown>) => boolean = () => false,
): void {
  const fillOf = createFills();
  // Fields of many types may share a resolver and arguments.
  const filled = new Map<
    Resolver,
    { readonly args: readonly GraphQLArgument[]; readonly filling: Resolver }
  >();
  for (const type of types) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.args.length === 0 || isFilled(field)) continue;
      const { resolve = defaultFieldResolver, args } = field;
      const known = filled.get(resolve);
      if (known !== undefined && field.subscribe === undefined && haveSameDefaults(known.args, args)) {
        field.resolve = known.filling;
        continue;
      }
      fillField(field, fillMembers(args, fillOf));
      filled.set(resolve, { args, filling: field.resolve ?? defaultFieldResolver });
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function haveSameDefaults(a: readonly GraphQLArgument[], b: readonly GraphQLArgument[]): boolean {
  const isSame = ({ name, type, default: preset }: GraphQLArgument, i: number): boolean =>
    name === b[i]?.name && type === b[i].type && preset === b[i].default;
  return a.length === b.length && a.every(isSame);
}

function fillField(field: GraphQLField<unknown, unknown>, fill: FillMembers | undefined): void {
  if (fill === undefined) return;
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = (source, args: Arguments, context, info) => resolve(source, fill(args), context, info);
  if (subscribe !== undefined)
    field.subscribe = (source, args: Arguments, context, info) =>
      subscribe(source, fill(args), context, info);
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
    else if (isInputObjectType(type)) fill = fillObject(fillMembers(Object.values(type.getFields()), fillOf));
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

function fillObject(fill: FillMembers | undefined): FillNulls | undefined {
  return fill && ((value) => (isRecord(value) ? fill(value) : value));
}

function fillMembers(
  members: readonly Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'default'>[],
  fillOf: (type: GraphQLInputType) => FillNulls | undefined,
): FillMembers | undefined {
  const fills = members
    .map((member) => ({ name: member.name, preset: defaultOf(member), fill: fillOf(member.type) }))
    .filter(({ preset, fill }) => preset !== undefined || fill !== undefined);
  if (fills.length === 0) return undefined;
  return (value) => {
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
