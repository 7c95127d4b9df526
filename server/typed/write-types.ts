/** Mutations and subscriptions of a generated schema. */
import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLString,
} from 'graphql';
import { defined } from '../../wire/guards.js';
import type { StoredChange } from '../zarr/index.js';
import type { GatewayContext } from '../resolvers/context.js';
import type { ChangeModel } from '../resolvers/models.js';
import { noNote, plainText } from './describe.js';
import type { ArrayFacts, GroupFacts } from './facts.js';
import type { Arguments, GenericTypes } from './generic-types.js';
import { distinct } from './lists.js';
import type { GraphqlNames } from './names.js';
import { genericSelection } from './selections.js';
import type { SelectionArguments, SliceTypes } from './slice-types.js';
import { TypedGroup } from './typed-group.js';
import { type GivenSelections, namedSelections } from './typed-slice.js';

export interface WriteTypesOptions {
  readonly store: string;
  readonly root: GroupFacts;
  readonly isArray: boolean;
  readonly names: GraphqlNames;
  readonly generic: GenericTypes;
  readonly slices: SliceTypes;
  readonly query: GraphQLObjectType;
  /** Whether the caller may write an array. */
  readonly isWritable: (path: string) => boolean;
}

interface Writable {
  readonly array: ArrayFacts;
  readonly path: string;
}

/** The arrays of the schema that the caller may write. */
export function writableArrays(
  root: GroupFacts,
  isArray: boolean,
  isWritable: (path: string) => boolean,
): Writable[] {
  // prettier-ignore
  const found: Writable[] = [];
  const visit = (group: GroupFacts): void => {
    for (const array of group.arrays) {
      const path = isArray ? '/' : `${group.path === '/' ? '' : group.path}/${array.name}`;
      if (isWritable(path)) found.push({ array, path });
    }
    for (const child of group.groups) visit(child);
  };
  visit(root);
  return found;
}

export interface BuiltMutation {
  readonly type: GraphQLObjectType;
  /** Resolvers that replace nulls by defaults themselves. */
  readonly filled: ReadonlySet<unknown>;
}

/** @returns undefined if the caller may write no array */
export function mutationType(options: WriteTypesOptions): BuiltMutation | undefined {
  const { store, names, generic, slices, root, isArray, isWritable } = options;
  const arrays = writableArrays(root, isArray, isWritable);
  if (arrays.length === 0) return undefined;
  const plain = new Map(arrays.map(({ path }) => [path, path === '/' ? 'root' : path.slice(1).split('/').map(names).join('_')])); // prettier-ignore
  const nameOf = distinct(plain);
  const again = { query: queryField(options) };
  const payload = (name: string, from: string, description: string) =>
    new GraphQLObjectType({
      name,
      description,
      fields: {
        ...Object.fromEntries(Object.keys(generic.object(from).getFields()).map((field) => [field, generic.field(from, field, (source: unknown) => source)])), // prettier-ignore
        ...again,
      },
    });
  const written = payload('WriteResult', 'WriteSlicePayload', 'The result of a write.');
  const appended = payload('AppendResult', 'AppendToArrayPayload', 'The result of an append.');
  const fields: GraphQLFieldConfigMap<unknown, GatewayContext> = {};
  const values = { type: new GraphQLNonNull(generic.scalar('NDArray')), description: 'The stored values.', ...noNote }; // prettier-ignore
  const ifVersion = { type: GraphQLString, description: 'Write only if the array still has this version.', ...noNote }; // prettier-ignore
  const offset = { type: generic.scalar('BigInt'), description: 'The expected length before the append; otherwise `CONFLICT`.', ...noNote }; // prettier-ignore
  const writeArguments = {
    _values: values,
    _writeEmptyChunks: { type: GraphQLBoolean, default: { value: false }, description: 'Whether to store chunks that contain only the fill value.', ...noNote }, // prettier-ignore
    _ifVersion: ifVersion,
  };
  const shared = sharedByArrays(store, generic);
  for (const { array, path } of arrays) {
    const { dims } = array;
    const name = nameOf.get(path) ?? '';
    const selection = slices.selectionArguments(dims);
    shared.written.set(`write_${name}`, { path, array, selection });
    fields[`write_${name}`] = {
      type: written,
      description: `Writes stored values of ${plainText(path)}; see \`writeSlice\`.`,
      args: { ...selection.args, ...writeArguments },
      resolve: shared.write,
      ...noNote,
    };
    if (dims.length === 0) continue;
    const along = { along: { type: new GraphQLNonNull(slices.dimensionsOf(array)), description: 'The dimension that grows.', ...noNote } }; // prettier-ignore
    shared.written.set(`append_${name}`, { path, array, selection });
    fields[`append_${name}`] = {
      type: appended,
      description: `Appends stored values to ${plainText(path)}; see \`appendToArray\`.`,
      args: { ...(dims.length === 1 ? {} : along), values, offset, ifVersion },
      resolve: shared.append,
      ...noNote,
    };
  }
  const type = new GraphQLObjectType({ name: 'Mutation', description: 'Writes stored values. Top-level fields run in order.', fields }); // prettier-ignore
  return { type, filled: new Set([shared.write, shared.append]) };
}

interface Written extends Writable {
  readonly selection: SelectionArguments;
}

/** The resolvers of all fields: with separate ones, thousands of arrays take megabytes. */
function sharedByArrays(store: string, generic: GenericTypes) {
  const [write, append] = [generic.resolver('Mutation', 'writeSlice'), generic.resolver('Mutation', 'appendToArray')]; // prettier-ignore
  const written = new Map<string, Written>();
  return {
    /** By the names of the fields. */
    written,
    write(
      this: void,
      _: unknown,
      args: Arguments,
      context: GatewayContext,
      info: GraphQLResolveInfo,
    ): unknown {
      const { path, array, selection } = defined(written.get(info.fieldName));
      const { _values, _writeEmptyChunks, _ifVersion } = args;
      const select = selectionOf(array, selection.given(args));
      const input = { store, path, values: _values, writeEmptyChunks: _writeEmptyChunks ?? false, ifVersion: _ifVersion, ...select }; // prettier-ignore
      return write(undefined, { input }, context, info);
    },
    append(
      this: void,
      _: unknown,
      { along, values, offset, ifVersion }: Arguments,
      context: GatewayContext,
      info: GraphQLResolveInfo,
    ): unknown {
      const { path, array } = defined(written.get(info.fieldName));
      const axis = typeof along === 'string' ? array.dims.findIndex(({ name }) => name === along) : 0;
      return append(undefined, { input: { store, path, axis, values, offset, ifVersion } }, context, info);
    },
  };
}

/** The root, read again after the change. */
function queryField({ store, query }: Pick<WriteTypesOptions, 'store' | 'query'>) {
  return {
    type: new GraphQLNonNull(query),
    description: 'The store after the change.',
    resolve: (_: unknown, __: Arguments, context: GatewayContext) =>
      new TypedGroup(context.store(store), '/'),
  };
}

function selectionOf({ role, dims }: ArrayFacts, given: GivenSelections): { select?: unknown } {
  if (given.length === 0) return {};
  if (role !== 'array') return { select: { named: namedSelections(given) } };
  const by = new Map(given.map((one) => [one.dim.name, one.by]));
  return { select: { dims: dims.map(({ name }) => genericSelection(by.get(name) ?? { slice: { step: 1 } }, 'none')) } }; // prettier-ignore
}

/** The changes of the store. */
export function subscriptionType({
  store,
  generic,
  query,
}: Pick<WriteTypesOptions, 'store' | 'generic' | 'query'>): GraphQLObjectType {
  // prettier-ignore
  const changes = generic.object('Subscription').getFields()['changes'];
  const { subscribe, resolve } = changes ?? {};
  if (subscribe === undefined || resolve === undefined)
    throw new TypeError('the generic schema has no changes');
  const change = (name: string) => generic.field('DataChange', name, (source: unknown) => source);
  const event = new GraphQLObjectType<ChangeModel, GatewayContext>({
    name: 'StoreChange',
    description: 'A change of the store.',
    fields: {
      kind: change('kind'),
      path: change('path'),
      node: change('node'),
      region: { ...change('region'), resolve: ({ change: { kind, ...rest } }: ChangeModel) => (kind === 'data' && 'region' in rest ? rest.region : null) }, // prettier-ignore
      query: queryField({ store, query }),
    },
  });
  return new GraphQLObjectType<StoredChange, GatewayContext>({
    name: 'Subscription',
    description: 'Changes, as they happen.',
    fields: {
      changes: {
        type: new GraphQLNonNull(event),
        description: 'Changes of nodes at and below a path.',
        args: { path: { type: GraphQLString, default: { value: '/' }, description: 'The path of a node.' } },
        subscribe: (source, args: Arguments, context, info): unknown => subscribe(source, { ...args, store }, context, info), // prettier-ignore
        resolve: (source, args: Arguments, context, info): unknown => resolve(source, { ...args, store }, context, info), // prettier-ignore
      },
    },
  });
}
