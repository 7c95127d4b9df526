/** The text of the schema, for the command line. */
export { subgraphSdl } from '../resolvers/federation/subgraph.js';
export { typeDefs } from '../resolvers/type-defs.js';
