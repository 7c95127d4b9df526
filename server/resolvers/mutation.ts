import { InputError } from '../zarr/index.js';
import {
  createOptionsOf,
  isGiven,
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
      return { group: { store, node: await store.hierarchy.createGroup(path, options) } };
    }),
  createArray: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const options = createOptionsOf(input, context);
      const node = await store.hierarchy.createArray(path, parseCreateArray(input), options);
      return { array: { store, node } };
    }),
  writeSlice: (_, { input }, context) =>
    changeAt(input, context, (target) => writeValues(target, input, context)),
  setAttributes: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const set = parseJsonObjectInput(input.set, 'set') ?? {};
      const change = { set, remove: input.remove ?? [], replace: input.replace };
      const node = await store.hierarchy.setAttributes(path, change, changeOptionsOf(input, context));
      return { node: modelOf(store, node) };
    }),
  resizeArray: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const options = { ...changeOptionsOf(input, context), limits: context.gateway.limits };
      const shape = parseLengths(input.shape, 'shape');
      return { array: { store, node: await store.hierarchy.resize(path, shape, options) } };
    }),
  appendToArray: (_, { input }, context) =>
    changeAt(input, context, async (target) => ({ array: await appendValues(target, input, context) })),
  deleteNode: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      if (!isGiven(input.id) && !isGiven(input.path))
        throw new InputError(
          '"path" is missing; state the path of the node to delete, "/" for the whole store',
        );
      const options = { ...changeOptionsOf(input, context), recursive: input.recursive };
      await store.hierarchy.deleteNode(path, options);
      return { deletedId: printGlobalId({ kind: 'node', store: store.name, path }), path };
    }),
  consolidateMetadata: (_, { input }, context) =>
    changeAt(input, context, async ({ store, path }) => {
      const { signal } = context;
      return { group: { store, node: await store.hierarchy.consolidate(path, { signal }) } };
    }),
};
