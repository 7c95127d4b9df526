/**
 * A plugin for GraphQL Code Generator that writes the schema information for normalised caches: object types, fields
 * with lists of objects, and the possible types of each interface.
 */
import type { GraphQLSchema } from 'graphql';

/** Called by the generator. */
export async function plugin(schema: GraphQLSchema): Promise<string> {
  const { getNamedType, getNullableType, isInterfaceType, isListType, isObjectType } =
    await import('graphql');
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const objects = types.filter(isObjectType);
  const listFields = objects.map((type): [string, string[]] => {
    const lists = Object.values(type.getFields()).filter(
      (field) => isListType(getNullableType(field.type)) && 'getFields' in getNamedType(field.type),
    );
    return [type.name, lists.map(({ name }) => name)];
  });
  const possible = types
    .filter(isInterfaceType)
    .map((type): [string, string[]] => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  return [
    '/** Schema information for caches, written by `npm run codegen`. */',
    constant(
      'objectTypes',
      objects.filter((type) => !roots.includes(type)).map(({ name }) => name),
    ),
    constant('listFields', Object.fromEntries(listFields.filter(([, names]) => names.length > 0))),
    constant('possibleTypes', Object.fromEntries(possible)),
  ].join('\n');
}

function constant(
  name: string,
  value: readonly string[] | Readonly<Record<string, readonly string[]>>,
): string {
  const type = Array.isArray(value) ? 'readonly string[]' : 'Readonly<Record<string, string[]>>';
  return `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;
}
