/**
 * A schema loader for GraphQL Code Generator. Resolvers receive the default of an argument in place of null
 * (`readNullAsDefault`), so its type in resolvers is not nullable.
 */
import { globSync, readFileSync } from 'node:fs';
import { type DocumentNode, Kind, parse, visit } from 'graphql';

/** Called by the generator. @param files pattern of the files of the schema */
export default function loadFilledSchema(files: string): DocumentNode {
  const text = globSync(files).map((file) => readFileSync(file, 'utf8'));
  return visit(parse(text.join('\n')), {
    InputValueDefinition: (node) =>
      node.defaultValue === undefined || node.type.kind === Kind.NON_NULL_TYPE
        ? undefined
        : { ...node, type: { kind: Kind.NON_NULL_TYPE, type: node.type } },
  });
}
