/** The text of the schema, and patterns of paths, for the command line. */
export { subgraphSdl } from '../resolvers/federation/subgraph.js';
export { parsePathPattern } from '../resolvers/nodes/path-pattern.js';
export { typeDefs } from '../resolvers/type-defs.js';
