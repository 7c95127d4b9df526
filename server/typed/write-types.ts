/** Mutations and subscriptions of a generated schema. */
import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { StoredChange } from '../zarr/index.js';
import type { GatewayContext } from '../resolvers/context.js';
import type { ChangeModel } from '../resolvers/models.js';
import { plainText } from './describe.js';
import type { ArrayFacts, DimFacts, GroupFacts } from './facts.js';
import type { Arguments, GenericTypes } from './generic-types.js';
import { distinct } from './lists.js';
import type { GraphqlNames } from './names.js';
import { genericSelection, type TypedSelection } from './selections.js';
import type { SliceTypes } from './slice-types.js';
import { TypedGroup } from './typed-group.js';

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

/** @returns undefined if the caller may write no array */
export function mutationType(options: WriteTypesOptions): GraphQLObjectType | undefined {
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
  const [write, append] = [generic.resolver('Mutation', 'writeSlice'), generic.resolver('Mutation', 'appendToArray')]; // prettier-ignore
  const values = { type: new GraphQLNonNull(generic.scalar('NDArray')), description: 'The stored values.' };
  const ifVersion = { type: GraphQLString, description: 'Write only if the array still has this version.' };
  for (const { array, path } of arrays) {
    const { dims } = array;
    const name = nameOf.get(path) ?? '';
    const stored = dims.map((dim): DimFacts => (array.role === 'array' ? { ...dim, label: 'none' } : dim));
    fields[`write_${name}`] = {
      type: written,
      description: `Writes stored values of ${plainText(path)}; see \`writeSlice\`.`,
      args: {
        ...slices.selectionArguments(stored),
        _values: values,
        _writeEmptyChunks: { type: GraphQLBoolean, default: { value: false }, description: 'Whether to store chunks that contain only the fill value.' }, // prettier-ignore
        _ifVersion: ifVersion,
      },
      resolve: (_, args: Arguments, context, info): unknown => {
        const select = selectionOf(stored, args, names, array.role === 'array');
        const { _values, _writeEmptyChunks: writeEmptyChunks, _ifVersion } = args;
        const input = { store, path, values: _values, writeEmptyChunks, ifVersion: _ifVersion, ...select };
        return write(undefined, { input }, context, info);
      },
    };
    if (dims.length === 0) continue;
    const axes = new Map(dims.map(({ name: dim }, axis) => [dim, axis]));
    fields[`append_${name}`] = {
      type: appended,
      description: `Appends stored values to ${plainText(path)}; see \`appendToArray\`.`,
      args: {
        ...(dims.length === 1 ? {} : { along: { type: new GraphQLNonNull(slices.dimensionsOf(array)), description: 'The dimension that grows.' } }), // prettier-ignore
        values,
        offset: { type: generic.scalar('BigInt'), description: 'The expected length before the append; otherwise `CONFLICT`.' }, // prettier-ignore
        ifVersion,
      },
      resolve: (
        _,
        { along, values: given, offset, ifVersion: version }: Arguments,
        context,
        info,
      ): unknown => {
        const axis = typeof along === 'string' ? axes.get(along) : 0;
        return append(undefined, { input: { store, path, axis, values: given, offset, ifVersion: version } }, context, info); // prettier-ignore
      },
    };
  }
  return new GraphQLObjectType({ name: 'Mutation', description: 'Writes stored values. Top-level fields run in order.', fields }); // prettier-ignore
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

function selectionOf(
  dims: readonly DimFacts[],
  args: Arguments,
  names: GraphqlNames,
  isPositional: boolean,
): { select?: unknown } {
  const selection = (dim: DimFacts): TypedSelection | undefined => {
    const given = args[names(dim.name)];
    return typeof given === 'object' && given !== null ? given : undefined;
  };
  if (dims.every((dim) => selection(dim) === undefined)) return {};
  if (isPositional)
    return {
      select: { dims: dims.map((dim) => genericSelection(selection(dim) ?? { slice: { step: 1 } }, 'none')) },
    };
  const named = dims.flatMap((dim) => {
    const by = selection(dim);
    return by === undefined ? [] : [{ dim: dim.name, by: genericSelection(by, dim.label) }];
  });
  return { select: { named } };
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
