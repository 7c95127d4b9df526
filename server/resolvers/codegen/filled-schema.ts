/**
 * A schema loader for GraphQL Code Generator. Resolvers receive the default of an argument in place of null
 * (`readNullAsDefault`), so its type in resolvers is not nullable. A field with `@semanticNonNull` is not nullable
 * either: its resolver fails, or returns a value.
 */
import { globSync, readFileSync } from 'node:fs';
import { type DocumentNode, type FieldDefinitionNode, Kind, parse, type TypeNode, visit } from 'graphql';

/** Called by the generator. @param files pattern of the files of the schema */
export default function loadFilledSchema(files: string): DocumentNode {
  const text = globSync(files).map((file) => readFileSync(file, 'utf8'));
  return visit(parse(text.join('\n')), {
    FieldDefinition: (node) => ({ ...node, type: nonNullAt(node.type, 0, semanticLevels(node)) }),
    InputValueDefinition: (node) =>
      node.defaultValue === undefined || node.type.kind === Kind.NON_NULL_TYPE
        ? undefined
        : { ...node, type: { kind: Kind.NON_NULL_TYPE, type: node.type } },
  });
}

/** The levels of nested lists that are null only together with an error. */
function semanticLevels({ directives = [] }: FieldDefinitionNode): readonly number[] {
  const directive = directives.find(({ name }) => name.value === 'semanticNonNull');
  if (directive === undefined) return [];
  const levels = directive.arguments?.find(({ name }) => name.value === 'levels')?.value;
  if (levels?.kind !== Kind.LIST) return [0];
  return levels.values.flatMap((level) => (level.kind === Kind.INT ? [Number(level.value)] : []));
}

function nonNullAt(type: TypeNode, level: number, levels: readonly number[]): TypeNode {
  const isNonNull = type.kind === Kind.NON_NULL_TYPE;
  const bare = isNonNull ? type.type : type;
  const inner =
    bare.kind === Kind.LIST_TYPE ? { ...bare, type: nonNullAt(bare.type, level + 1, levels) } : bare;
  return isNonNull || levels.includes(level) ? { kind: Kind.NON_NULL_TYPE, type: inner } : inner;
}
