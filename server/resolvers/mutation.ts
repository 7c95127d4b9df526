import {
  createOptionsOf,
  parseCreateArray,
  parseLengths,
  parseJsonObjectInput,
} from './mutations/create-input.js';
import type { MutationResolvers } from './generated/types.js';
import { printGlobalId } from './nodes/global-id.js';
import { modelOf } from './nodes/node-loader.js';
import { appendValues, changeOptionsOf, writeValues, changeAt } from './mutations/write-values.js';

export const mutationResolvers: MutationResolvers = {
  createGroup: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const attributes = parseJsonObjectInput(input.attributes, 'attributes');
      const options = { ...createOptionsOf(input, context), attributes };
      return { store, node: await store.hierarchy.createGroup(path, options) };
    }),
  createArray: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const options = createOptionsOf(input, context);
      return { store, node: await store.hierarchy.createArray(path, parseCreateArray(input), options) };
    }),
  writeSlice: (_, { input }, context) =>
    changeAt(input, context, (target) => writeValues(target, input, context)),
  setAttributes: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const set = parseJsonObjectInput(input.set, 'set') ?? {};
      const change = { set, remove: input.remove ?? [], replace: input.replace };
      return modelOf(
        store,
        await store.hierarchy.setAttributes(path, change, changeOptionsOf(input, context)),
      );
    }),
  resizeArray: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const options = { ...changeOptionsOf(input, context), limits: context.gateway.limits };
      const shape = parseLengths(input.shape, 'shape');
      return { store, node: await store.hierarchy.resize(path, shape, options) };
    }),
  appendToArray: (_, { input }, context) =>
    changeAt(input, context, (target) => appendValues(target, input, context)),
  deleteNode: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const options = { ...changeOptionsOf(input, context), recursive: input.recursive };
      await store.hierarchy.deleteNode(path, options);
      const idOf = (kind: 'node' | 'deleted') => printGlobalId({ kind, store: store.name, path });
      return { id: idOf('deleted'), deletedId: idOf('node'), path };
    }),
  consolidateMetadata: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const { signal } = context;
      return { store, node: await store.hierarchy.consolidate(path, { signal }) };
    }),
};
