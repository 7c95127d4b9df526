/** Suggestions for fields that do not exist, but do one level deeper: `slice { values }` for `ZarrArray.values`. */
import { getNamedType, GraphQLError, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';

/** With more fields, the suggestion would be arbitrary. */
const MAX_SUGGESTIONS = 3;
/** Fields of a type that are compared: the types of stores may have thousands. */
const MAX_COMPARED = 500;

const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\./;

/** Replaces suggestions of similar names by fields of the same name. Callers without introspection do not see them. */
export function withDeeperFields(error: GraphQLError, schema: GraphQLSchema): GraphQLError {
  const [start = '', field = '', typeName = ''] = unknownField.exec(error.message) ?? [];
  const paths = start === '' ? [] : deeperFields(schema, typeName, field);
  if (paths.length === 0 || paths.length > MAX_SUGGESTIONS) return error;
  const quoted = paths.map((path) => `"${path}"`).join(' or ');
  return new GraphQLError(`${start} Did you mean ${quoted}?`, { nodes: error.nodes });
}

function deeperFields(schema: GraphQLSchema, typeName: string, field: string): string[] {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields())
    .slice(0, MAX_COMPARED)
    .flatMap(({ name, type: own }) => {
      const inner = getNamedType(own);
      if (!isObjectType(inner) && !isInterfaceType(inner)) return [];
      return inner.getFields()[field] === undefined ? [] : [`${name} { ${field} }`];
    });
}
