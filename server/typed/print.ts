/** The SDL of a generated schema. Contains no sizes and values, so it is the same before and after an append. */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type EnumValueDefinitionNode,
  type InputValueDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  printType,
  specifiedScalarTypes,
} from 'graphql';
import type { ZarrNote } from './describe.js';

/** gqlparser before 2.5.64 fails without it. */
const ONE_OF = `"""
Exactly one field of the input object must be set.
"""
directive @oneOf on INPUT_OBJECT`;

/** Generated types first, then generic ones, both sorted. @param generic the schema with the generic types */
export function printTypedSchema(schema: GraphQLSchema, generic: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap())
    .filter(
      ({ name }) => !name.startsWith('__') && !specifiedScalarTypes.some((scalar) => scalar.name === name),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isGeneric = (type: GraphQLNamedType): boolean => generic.getType(type.name) === type;
  const roots = ['Query', 'Mutation', 'Subscription'];
  const generated = types.filter((type) => !isGeneric(type));
  const first = roots.flatMap((name) => generated.find((type) => type.name === name) ?? []);
  const others = generated.filter(({ name }) => !roots.includes(name));
  const definitions = [...first, ...others, ...types.filter(isGeneric)].map((type) => printDefinition(type));
  return `${[ONE_OF, ...directivesOf(schema), ...definitions].join('\n\n')}\n`;
}

function directivesOf(schema: GraphQLSchema): string[] {
  return parse(printSchema(schema))
    .definitions.filter((definition) => definition.kind === Kind.DIRECTIVE_DEFINITION)
    .filter(({ name }) => name.value !== 'oneOf')
    .map((definition) => print(definition));
}

/** `printType` omits applied directives. */
function printDefinition(type: GraphQLNamedType): string {
  const [definition] = parse(printType(type), { noLocation: true }).definitions;
  if (definition === undefined) throw new TypeError(`the type ${type.name} has no definition`);
  return print(annotated(definition, type));
}

function annotated(definition: DefinitionNode, type: GraphQLNamedType): DefinitionNode {
  if (definition.kind === Kind.OBJECT_TYPE_DEFINITION && isObjectType(type)) {
    const configs = type.getFields();
    const fields = definition.fields?.map((field) => annotatedField(field, configs[field.name.value]));
    return { ...definition, directives: directivesFor(type), fields: fields ?? [] };
  }
  if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION && isInterfaceType(type)) return definition;
  if (definition.kind === Kind.ENUM_TYPE_DEFINITION && isEnumType(type)) {
    const values = definition.values?.map((value): EnumValueDefinitionNode => ({
      ...value,
      directives: [...(value.directives ?? []), ...directivesFor(type.getValue(value.name.value))],
    })); // prettier-ignore
    return { ...definition, values: values ?? [] };
  }
  if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && isInputObjectType(type)) {
    const configs = type.getFields();
    const fields = definition.fields?.map((field) => annotatedValue(field, configs[field.name.value]));
    return { ...definition, fields: fields ?? [] };
  }
  return definition;
}

interface Noted {
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

function annotatedField(
  node: FieldDefinitionNode,
  field: (Noted & { readonly args: readonly (Noted & { readonly name: string })[] }) | undefined,
): FieldDefinitionNode {
  const args = node.arguments?.map((argument) =>
    annotatedValue(
      argument,
      field?.args.find(({ name }) => name === argument.name.value),
    ),
  );
  return {
    ...node,
    arguments: args ?? [],
    directives: [...(node.directives ?? []), ...directivesFor(field)],
  };
}

function annotatedValue(node: InputValueDefinitionNode, value: Noted | undefined): InputValueDefinitionNode {
  return { ...node, directives: [...(node.directives ?? []), ...directivesFor(value)] };
}

function directivesFor(noted: Noted | null | undefined): ConstDirectiveNode[] {
  const zarr = noted?.extensions?.['zarr'];
  if (!isNote(zarr)) return [];
  const args = Object.entries({ name: zarr.name, path: zarr.path }).flatMap(
    ([name, value]) =>
    value === undefined ? [] : [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: { kind: Kind.STRING, value } } as const], // prettier-ignore
  );
  if (args.length === 0) return [];
  return [{ kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'zarr' }, arguments: args }];
}

function isNote(value: unknown): value is ZarrNote {
  return typeof value === 'object' && value !== null;
}
