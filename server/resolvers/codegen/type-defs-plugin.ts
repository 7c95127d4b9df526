/**
 * A plugin for GraphQL Code Generator: the whole schema language text as one module, so that the gateway reads no files
 * when it starts and bundles well. It reads schema/ itself: the generator sorts what it hands over, and in the files
 * types and fields stand in the order in which one wants to read them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, printSchema } from 'graphql';

const folder = new URL('../../../schema/', import.meta.url);

/** The generator calls this. */
export function plugin(): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const texts = names.toSorted().map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const lines = printSchema(buildSchema(texts.join('\n'))).split('\n');
  return [
    '/** The schema in GraphQL schema language, written from schema/*.graphql by `npm run codegen`. */',
    'export const typeDefs: string = [',
    ...lines.map((line) => `  ${JSON.stringify(line)},`),
    "].join('\\n');",
    '',
  ].join('\n');
}
