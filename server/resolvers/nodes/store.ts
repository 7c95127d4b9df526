import type { StoreResolvers } from '../generated/types.js';
import { printGlobalId } from './global-id.js';
import { listNodes } from './node-listing.js';

/** Fields that are not listed here are properties of the model. */
export const storeResolvers: StoreResolvers = {
  id: (store) => printGlobalId({ kind: 'store', store: store.name, path: '/' }),
  node: (store, { path }, context) => context.nodes.node(store, path),
  group: (store, { path }, context) => context.nodes.group(store, path),
  array: (store, { path }, context) => context.nodes.array(store, path),
  dataset: (store, { path }, context) => context.datasets.open(store, path),
  search: (store, { first, after, ...conditions }, context) =>
    listNodes(
      store,
      conditions,
      { base: '/', recursive: true, refresh: false, everything: true, first, after },
      context,
    ),
};
