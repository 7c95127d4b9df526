/** The generated types of a store. Pure: the same facts give the same types. */
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { isZarrError, NotFoundError } from '../zarr/index.js';
import type { GatewayContext } from '../resolvers/context.js';
import { describeArray, describeGroup, note, noted, noteOf, noNote, plainText } from './describe.js';
import type { DatasetComputeArgs } from '../resolvers/generated/types.js';
import type { ArrayFacts, DimFacts, FieldFacts, GroupFacts, TypedStoreFacts } from './facts.js';
import { MAX_MEMBER_FIELDS } from './families.js';
import type { Arguments, FieldConfig, GenericTypes } from './generic-types.js';
import { defined } from '../../wire/guards.js';
import { createLists, distinct, type ListFacts, type Lists } from './lists.js';
import type { GraphqlNames } from './names.js';
import { type SelectionArguments, SliceTypes } from './slice-types.js';
import { TypedGroup } from './typed-group.js';
import { stepTyped } from './typed-slice.js';

type Fields<Source> = GraphQLFieldConfigMap<Source, GatewayContext>;

export interface BuiltTypes {
  readonly query: GraphQLObjectType;
  readonly types: readonly GraphQLNamedType[];
  readonly slices: SliceTypes;
  /** Resolvers that replace nulls by defaults themselves. */
  readonly filled: ReadonlySet<unknown>;
}

/** An array of a group. */
interface GeneratedArray extends Pick<ArrayFacts, 'name' | 'role' | 'dims'> {
  readonly selection: SelectionArguments;
}

/** Yields between pieces of work. @param names the GraphQL names of all names in the facts */
export function* buildTypes(
  facts: TypedStoreFacts,
  names: GraphqlNames,
  generic: GenericTypes,
): Generator<void, BuiltTypes, void> {
  return yield* new TypeBuilder(facts, names, generic).build();
}

class TypeBuilder {
  readonly #facts: TypedStoreFacts;
  readonly #names: GraphqlNames;
  readonly #generic: GenericTypes;
  readonly #lists: Lists;
  readonly #groupNames: ReadonlyMap<string, string>;
  readonly #slices: SliceTypes;
  readonly #groups: GraphQLObjectType[] = [];
  /** The dimensions of arrays that are selected by position, by list. */
  readonly #positions = new Map<ListFacts, readonly DimFacts[]>();
  readonly #filled = new Set<unknown>();

  constructor(facts: TypedStoreFacts, names: GraphqlNames, generic: GenericTypes) {
    this.#facts = facts;
    this.#names = names;
    this.#generic = generic;
    this.#lists = createLists(facts.root, names);
    const { groups, records } = namesOfTypes(facts.root, names);
    this.#groupNames = distinct(groups);
    this.#slices = new SliceTypes({ names, generic, lists: this.#lists, recordNames: distinct(records) });
  }

  *build(): Generator<void, BuiltTypes, void> {
    const query = yield* this.#buildGroup(this.#facts.root, 'Query', undefined);
    const types = [...this.#groups, this.#slices.shared];
    return { query, slices: this.#slices, types, filled: this.#filled };
  }

  *#buildGroup(
    group: GroupFacts,
    typeName: string,
    family: string | undefined,
  ): Generator<void, GraphQLObjectType, void> {
    const names = this.#names;
    const isRoot = typeName === 'Query';
    const fields: Fields<TypedGroup | undefined> = {};
    const put = (name: string, config: FieldConfig<TypedGroup>): void => {
      fields[name] = this.#fromRoot(config);
    };
    const arrays = new Map<string, GeneratedArray>();
    const shared = this.#sharedByArrays(arrays, group.path, family !== undefined);
    for (const array of group.arrays) {
      yield;
      const isRootArray = this.#facts.isArray && isRoot;
      const graphqlName = isRootArray ? array.name : names(array.name);
      const name = isRootArray ? '_array' : graphqlName;
      const path = isRootArray ? '/' : pathIn(group.path, array.name);
      const dims = this.#labelled(array);
      const selection = this.#slices.argumentsOf(dims, array);
      arrays.set(name, { name: isRootArray ? '' : array.name, role: array.role, dims, selection });
      fields[name] = {
        type: this.#slices.of(array, path),
        description: describeArray(array, graphqlName),
        args: selection.args,
        ...shared,
      };
    }
    const members = group.family?.members ?? [];
    if (group.family !== undefined) {
      const memberName = this.#groupNames.get(`member ${group.path}`) ?? 'Member';
      const member = yield* this.#buildGroup(group.family.union, memberName, group.path);
      const shown = members.slice(0, MAX_MEMBER_FIELDS);
      for (const name of shown) put(names(name), this.#childField(group, name, member, undefined));
      put('_members', membersField(member, members, names));
      yield;
    }
    const ofFamily = new Set(members);
    for (const child of group.groups) {
      if (ofFamily.has(child.name)) continue;
      yield;
      const childName = this.#groupNames.get(`group ${child.path}`) ?? 'Group';
      const type = yield* this.#buildGroup(child, childName, family);
      put(names(child.name), this.#childField(group, child.name, type, child));
    }
    for (const [name, config] of Object.entries(this.#ownFields(group))) put(name, config);
    if (isRoot) for (const [name, config] of Object.entries(this.#rootFields())) put(name, config);
    const about = isRoot
      ? `The store ${plainText(this.#facts.store)}. Fields with the names of variables and groups are generated; fields that begin with an underscore belong to the gateway.${group.collapsed === undefined ? '' : ` The store has no fields: ${plainText(group.collapsed)}`}`
      : describeGroup(group, group.name === '' ? '' : names(group.name));
    const type: GraphQLObjectType = new GraphQLObjectType<TypedGroup | undefined, GatewayContext>({
      name: typeName,
      description: about,
      fields: () => {
        for (const [name, config] of Object.entries(this.#selectField(group, type))) put(name, config);
        return fields;
      },
      ...(isRoot || family !== undefined ? noNote : note('', '', group.path)),
    });
    this.#groups.push(type);
    return type;
  }

  /** A field of a group for the root too, which has no source. */
  #fromRoot(config: FieldConfig<TypedGroup>): GraphQLFieldConfig<TypedGroup | undefined, GatewayContext> {
    const { resolve, type, description, args = {}, extensions = noNote.extensions } = config;
    const root = (context: GatewayContext): TypedGroup | Promise<TypedGroup> => this.#root(context);
    return {
      ...{ type, description, args, extensions },
      resolve(source, given: Arguments, context, info) {
        const group = source ?? root(context);
        return group instanceof Promise
          ? group.then((found) => resolve?.(found, given, context, info))
          : resolve?.(group, given, context, info);
      },
    };
  }

  /** A promise if the snapshot of the store is not known yet; all fields of a request share it. */
  #root(context: GatewayContext): TypedGroup | Promise<TypedGroup> {
    const known = rootGroups.get(context);
    if (known !== undefined) return known;
    const store = context.pinned(this.#facts.store);
    const group =
      store instanceof Promise
        ? store.then((pinned) => new TypedGroup(pinned, '/'))
        : new TypedGroup(store, '/');
    rootGroups.set(context, group);
    return group;
  }

  /**
   * The resolver and the notes of all arrays of a group: with separate ones, thousands of arrays take megabytes.
   * @param arrays by the names of their fields
   */
  #sharedByArrays(
    arrays: ReadonlyMap<string, GeneratedArray>,
    groupPath: string,
    mayBeMissing: boolean,
  ): Pick<GraphQLFieldConfig<TypedGroup | undefined, GatewayContext>, 'resolve' | 'extensions'> {
    const root = (context: GatewayContext): TypedGroup | Promise<TypedGroup> => this.#root(context);
    const resolve: GraphQLFieldResolver<TypedGroup | undefined, GatewayContext> = async (
      source,
      args: Arguments,
      context,
      { fieldName },
    ) => {
      const array = defined(arrays.get(fieldName));
      const found = source ?? root(context);
      const group = found instanceof Promise ? await found : found;
      const slice = await group.slice(array, array.selection.given(args), context).catch((error: unknown) => {
        if (mayBeMissing && isZarrError(error, 'NOT_FOUND')) return null;
        throw error;
      });
      if (slice === undefined && !mayBeMissing) throw group.missing(array.name);
      const near = array.selection.place(args);
      return slice && near ? stepTyped(slice, { near }, context) : (slice ?? null);
    };
    this.#filled.add(resolve);
    const extensions = noted((field) => {
      const { name } = defined(arrays.get(field));
      return noteOf(name, field, mayBeMissing ? undefined : pathIn(groupPath, name));
    });
    return { resolve, ...extensions };
  }

  /** The dimensions of an array. Labels are those of all variables along the same list. */
  #labelled(array: ArrayFacts): readonly DimFacts[] {
    const { role, dims } = array;
    const list = this.#lists.of(array);
    if (list === undefined) return dims;
    const isWhole = dims.length === list.dims.length && dims.every(({ name }, d) => name === list.dims[d]?.name); // prettier-ignore
    // The same object for all arrays along the same dimensions, so that they share the descriptions of their arguments.
    if (role === 'array') {
      if (!isWhole) return dims;
      const known = this.#positions.get(list) ?? dims;
      this.#positions.set(list, known);
      return known;
    }
    if (isWhole) return list.dims;
    return dims.map((dim) => list.dims.find(({ name }) => name === dim.name) ?? dim);
  }

  #childField(
    group: GroupFacts,
    name: string,
    type: GraphQLObjectType,
    facts: GroupFacts | undefined,
  ): FieldConfig<TypedGroup> {
    const graphqlName = this.#names(name);
    const path = pathIn(group.path, name);
    return {
      type,
      description: facts === undefined ? `The group ${plainText(path)}.` : describeGroup(facts, graphqlName),
      ...note(name, graphqlName, path),
      resolve: async (source, _, context) => {
        const child = source.child(name);
        return facts?.isHidden === true ? child : existing(child, context);
      },
    };
  }

  /** The fields of every group that belong to the gateway. */
  #ownFields(group: GroupFacts): Record<string, FieldConfig<TypedGroup>> {
    const { object } = this.#generic;
    const fields: Record<string, FieldConfig<TypedGroup>> = {
      _dataset: {
        type: object('Dataset'),
        description: 'The generic `Dataset` of the group.',
        resolve: (source, _, context) => source.dataset(context),
      },
      _group: {
        type: object('ZarrGroup'),
        description: 'The generic `ZarrGroup`: attributes, members, multiscale images.',
        resolve: (source, _, context) => source.node(context),
      },
      _name: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'The name of the group in the store; empty for the root.',
        resolve: (source) => source.name,
      },
    };
    if (group.isDataset && this.#lists.all !== undefined)
      fields['_compute'] = {
        type: this.#slices.ofKind('Numbers', this.#lists.all),
        description:
          'The values of an expression of variables by their names in the store, such as `"sqrt(u**2 + v**2)"`; see `Dataset.compute`.',
        args: {
          expression: { type: new GraphQLNonNull(GraphQLString), description: 'The expression.' },
          inputs: {
            type: new GraphQLList(new GraphQLNonNull(this.#generic.input('ExpressionInput'))),
            default: { value: [] },
            description: 'Results that the expression names, as in `Dataset.compute`.',
          },
        },
        resolve: (source, args: DatasetComputeArgs, context) => source.compute(args, context),
      };
    return fields;
  }

  #selectField(group: GroupFacts, type: GraphQLObjectType): Record<string, FieldConfig<TypedGroup>> {
    const dims = this.#dimsWithin(group);
    if (dims.length === 0) return {};
    const selection = this.#slices.selectionArguments(dims);
    return {
      _select: {
        type,
        description:
          'This group with a selection that applies to every variable with the selected dimensions, and to groups below.',
        args: selection.args,
        resolve: (source, args: Arguments, context) => source.select(selection.given(args), context),
      },
    };
  }

  #dimsWithin(group: GroupFacts): readonly DimFacts[] {
    const dims = new Map<string, DimFacts>();
    for (const array of group.arrays) {
      if (array.role === 'array') continue;
      for (const dim of this.#labelled(array)) {
        const known = dims.get(dim.name);
        dims.set(
          dim.name,
          known === undefined || known.label === dim.label ? dim : { ...dim, label: 'other' },
        );
      }
    }
    return [...dims.values()];
  }

  #rootFields(): Record<string, FieldConfig<TypedGroup>> {
    const { object } = this.#generic;
    return {
      _store: {
        type: new GraphQLNonNull(object('Store')),
        description: 'The generic `Store`: nodes by path, search.',
        resolve: (source) => source.store,
      },
      _gateway: {
        type: new GraphQLNonNull(object('Gateway')),
        description: 'The gateway: version and limits.',
        resolve: (_, __, { gateway }) => gateway,
      },
    };
  }
}

/** @param name empty for the root */
function pathIn(group: string, name: string): string {
  return `${group === '/' ? '' : group}/${name}`;
}

const rootGroups = new WeakMap<GatewayContext, TypedGroup | Promise<TypedGroup>>();

function membersField(
  member: GraphQLObjectType,
  members: readonly string[],
  names: GraphqlNames,
): FieldConfig<TypedGroup> {
  // prettier-ignore
  const list = new GraphQLList(new GraphQLNonNull(GraphQLString));
  return {
    type: new GraphQLNonNull(new GraphQLList(member)),
    description: 'The groups of the same structure, as a list. Any other name is null with `NOT_FOUND`.',
    args: {
      names: { type: list, description: 'Names of members in the store. By default, all in order.' },
      first: { type: GraphQLInt, default: { value: 100 }, description: 'The maximum length of the list.' },
      after: { type: GraphQLString, description: 'Begin after the member with this name.' },
    },
    resolve(source, { names: given, first, after }: Arguments, context) {
      const all = isTextList(given) ? given : members;
      const start = typeof after === 'string' ? all.indexOf(after) + 1 : 0;
      const count =
        typeof first === 'number' ? Math.max(0, Math.min(first, context.gateway.limits.maxFirst)) : 0;
      const known = new Set(members);
      const named = new Set(members.map(names));
      return all.slice(start, start + count).map(async (name) => {
        if (!known.has(name))
          throw new NotFoundError(`no member has this name${named.has(name) ? '; "names" lists names of the store' : ''}`, { where: { store: source.store.name, path: source.path } }); // prettier-ignore
        return existing(source.child(name), context);
      });
    },
  };
}

/** @throws NotFoundError for a group that does not exist any more */
async function existing(group: TypedGroup, context: GatewayContext): Promise<TypedGroup> {
  await group.node(context);
  return group;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Plain names of the types of groups, families and records, by what they stand for. */
function namesOfTypes(root: GroupFacts, names: GraphqlNames) {
  const groups = new Map<string, string>();
  const records = new Map<string, string>();
  const visitFields = (path: string, plain: string, fields: readonly FieldFacts[]): void => {
    records.set(path, plain);
    for (const field of fields)
      if (field.kind === 'Record')
        visitFields(`${path}/${field.name}`, `${plain}_${names(field.name)}`, field.fields);
  };
  const visit = (group: GroupFacts, parts: readonly string[]): void => {
    const joined = (...more: readonly string[]): string => [...parts, ...more].join('_');
    for (const { name, kind, fields } of group.arrays)
      if (kind === 'Record') visitFields(`${group.path === '/' ? '' : group.path}/${name}`, name === '' ? 'root' : joined(names(name)), fields); // prettier-ignore
    if (group.family !== undefined) {
      groups.set(`member ${group.path}`, `Member_${joined() || 'root'}`);
      visit(group.family.union, parts);
    }
    for (const child of group.groups) {
      groups.set(`group ${child.path}`, `Group_${joined(names(child.name))}`);
      visit(child, [...parts, names(child.name)]);
    }
  };
  visit(root, []);
  return { groups, records };
}
