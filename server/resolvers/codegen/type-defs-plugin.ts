/**
 * A plugin for GraphQL Code Generator that writes the schema text as one module, so that the gateway reads
 * no files at startup and can be bundled. It reads schema/ itself to preserve the order of types and
 * fields, which the generator would sort.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, type FieldDefinitionNode, Kind, parse, print, printSchema } from 'graphql';

const folder = new URL('../../../schema/', import.meta.url);

/** Returns the text of the generated file. The code generator calls this function. */
export function plugin(): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const texts = names.toSorted().map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const source = texts.join('\n');
  const lines = withDirectives(printSchema(buildSchema(source)), source).split('\n');
  return [
    '/** The schema in GraphQL schema language, written from schema/*.graphql by `npm run codegen`. */',
    'export const typeDefs: string = [',
    ...lines.map((line) => `  ${JSON.stringify(line)},`),
    "].join('\\n');",
    '',
  ].join('\n');
}

/** Adds the directives of fields, which `printSchema` omits. */
function withDirectives(printed: string, source: string): string {
  const directives = new Map(
    [...fieldsOf(source)].map(([name, field]) => [
      name,
      field.directives?.map((node) => ` ${print(node)}`).join(''),
    ]),
  );
  let text = printed;
  // From the end, so that earlier positions stay valid.
  for (const [name, { type }] of [...fieldsOf(printed)].toReversed()) {
    const end = type.loc?.end ?? 0;
    text = `${text.slice(0, end)}${directives.get(name) ?? ''}${text.slice(end)}`;
  }
  return text;
}

/** The fields of all types, by "Type.field". */
function* fieldsOf(text: string): Generator<[name: string, field: FieldDefinitionNode]> {
  for (const definition of parse(text).definitions)
    if (
      definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
      definition.kind === Kind.OBJECT_TYPE_EXTENSION ||
      definition.kind === Kind.INTERFACE_TYPE_DEFINITION
    )
      for (const field of definition.fields ?? [])
        yield [`${definition.name.value}.${field.name.value}`, field];
}
