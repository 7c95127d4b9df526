import type { ZarrNodeConnectionResolvers, ZarrNodeEdgeResolvers } from '../generated/types.js';

export const nodeConnectionResolvers: ZarrNodeConnectionResolvers = {
  edges: ({ entries }) => entries,
  nodes: ({ entries }) => entries.map((entry) => entry.open()),
  pageInfo: ({ entries, hasNextPage, hasPreviousPage }) => ({
    hasNextPage,
    hasPreviousPage,
    startCursor: entries[0]?.cursor,
    endCursor: entries.at(-1)?.cursor,
  }),
  totalCount: (connection) => connection.totalCount(),
};

export const nodeEdgeResolvers: ZarrNodeEdgeResolvers = {
  node: (entry) => entry.open(),
};
