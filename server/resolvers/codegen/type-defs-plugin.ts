/**
 * A plugin for GraphQL Code Generator that writes the schema text as one module, so that the gateway reads
 * no files at startup and can be bundled. It reads schema/ itself to preserve the order of types and
 * fields, which the generator would sort.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, printSchema } from 'graphql';

const folder = new URL('../../../schema/', import.meta.url);

/** Returns the text of the generated file. The code generator calls this function. */
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
