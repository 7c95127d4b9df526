import type { ZarrGroupResolvers } from '../generated/types.js';
import { multiscalesOf } from '../datasets/image.js';
import { listNodes } from './node-listing.js';
import { pathBelow } from './node-loader.js';
import { sharedNodeFields } from './node.js';

export const groupResolvers: ZarrGroupResolvers = {
  ...sharedNodeFields,
  kind: () => 'GROUP',
  consolidated: ({ node }) => node.consolidated,
  consolidatedIsStale: ({ store, node }) => store.hierarchy.isConsolidationBehind(node.path),
  members: ({ store, node }, { first, after, recursive, refresh, ...conditions }, context) =>
    listNodes(
      store,
      conditions,
      { base: node.path, recursive, refresh, everything: false, first, after },
      context,
    ),
  group: ({ store, node }, { path }, context) => context.nodes.group(store, pathBelow(node, path)),
  array: ({ store, node }, { path }, context) => context.nodes.array(store, pathBelow(node, path)),
  dataset: ({ store, node }, _, context) => context.datasets.open(store, node.path),
  multiscales: (group, _, context) => multiscalesOf(group, context),
};
