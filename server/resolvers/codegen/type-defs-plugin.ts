/**
 * A plugin for GraphQL Code Generator: the whole schema language text as one module, so that the gateway reads no files
 * when it starts and bundles well.
 */
import { type GraphQLSchema, printSchema } from 'graphql';

/** The generator calls this. */
export function plugin(schema: GraphQLSchema): string {
  const lines = printSchema(schema)
    .split('\n')
    .map((line) => `  ${JSON.stringify(line)},`);
  return [
    '/** The schema in GraphQL schema language, written from schema/*.graphql by `npm run codegen`. */',
    'export const typeDefs: string = [',
    ...lines,
    "].join('\\n');",
    '',
  ].join('\n');
}
