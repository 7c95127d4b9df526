import { InputError } from '../zarr/index.js';
import {
  createOptionsOf,
  isGiven,
  parseCreateArray,
  parseLengths,
  parseJsonObjectInput,
} from './mutations/create-input.js';
import type { MutationResolvers } from './generated/types.js';
import { cancelJob, startJob } from './jobs/job.js';
import { printGlobalId } from './nodes/global-id.js';
import { modelOf } from './nodes/node-loader.js';
import { createRepository, nameSnapshot } from './versions/change-versions.js';
import { appendValues, writeValues } from './mutations/write-values.js';
import { changeAt, changeOptionsOf } from './mutations/mutation-target.js';

export const mutationResolvers: MutationResolvers = {
  createGroup: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      const attributes = parseJsonObjectInput(input.attributes, 'attributes');
      const options = { ...createOptionsOf(input, context), attributes };
      return { group: { store, node: await store.hierarchy.createGroup(path, options) } };
    }),
  createArray: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      const options = createOptionsOf(input, context);
      const node = await store.hierarchy.createArray(path, parseCreateArray(input), options);
      return { array: { store, node } };
    }),
  writeSlice: (_, { input }, context, info) =>
    changeAt(input, context, info, (target) => writeValues(target, input, context)),
  setAttributes: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      const set = parseJsonObjectInput(input.set, 'set') ?? {};
      const change = { set, remove: input.remove ?? [], replace: input.replace };
      const node = await store.hierarchy.setAttributes(path, change, changeOptionsOf(input, context));
      return { node: modelOf(store, node) };
    }),
  resizeArray: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      const options = { ...changeOptionsOf(input, context), limits: context.gateway.limits };
      const shape = parseLengths(input.shape, 'shape');
      return { array: { store, node: await store.hierarchy.resize(path, shape, options) } };
    }),
  appendToArray: (_, { input }, context, info) =>
    changeAt(input, context, info, async (target) => ({ array: await appendValues(target, input, context) })),
  deleteNode: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      if (!isGiven(input.id) && !isGiven(input.path))
        throw new InputError(
          '"path" is missing; state the path of the node to delete, "/" for the whole store',
        );
      const options = { ...changeOptionsOf(input, context), recursive: input.recursive };
      await store.hierarchy.deleteNode(path, options);
      return { deletedId: printGlobalId({ kind: 'node', store: store.name, path }), path };
    }),
  consolidateMetadata: (_, { input }, context, info) =>
    changeAt(input, context, info, async ({ store, path }) => {
      const { signal } = context;
      return { group: { store, node: await store.hierarchy.consolidate(path, { signal }) } };
    }),
  startJob: async (_, { input }, context) => ({ job: await startJob(input, context) }),
  cancelJob: async (_, { input }, context) => ({ job: await cancelJob(input.id, context) }),
  createRepository: (_, { input }, context) => createRepository(input, context),
  createBranch: async (_, { input: { store, name, from } }, context) => {
    const named = await nameSnapshot('createBranch', { store, name, at: from }, context);
    return { ...named, branch: name };
  },
  createTag: async (_, { input: { store, name, at } }, context) => {
    const named = await nameSnapshot('createTag', { store, name, at }, context);
    return { ...named, tag: name };
  },
};
