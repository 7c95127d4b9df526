import { createOptionsOf, parseCreateArray, parseLengths } from './mutations/create-input.js';
import type { MutationResolvers } from './generated/types.js';
import { printGlobalId } from './nodes/global-id.js';
import { parseJsonObjectInput } from './mutations/json-input.js';
import { modelOf } from './nodes/node-loader.js';
import { changeAt } from './mutations/mutation-target.js';
import { appendValues, changeOptionsOf, writeValues } from './mutations/write-values.js';

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
    changeAt(input, context, (place) => writeValues(place, input, context)),
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
    changeAt(input, context, (place) => appendValues(place, input, context)),
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
