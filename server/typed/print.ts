/** The SDL of a generated schema. Contains no sizes and values, so it is the same before and after an append. */
import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  GraphQLSchema,
  type InputValueDefinitionNode,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  parse,
  parseType,
  print,
  printSchema,
  printType,
  specifiedScalarTypes,
  valueToLiteral,
} from 'graphql';
import { type MaybeNoted, zarrOf } from './describe.js';
import { type Hints, plainDescription } from './hints.js';

/** gqlparser before 2.5.64 fails without it. */
const ONE_OF = `"""
Exactly one field of the input object must be set.
"""
directive @oneOf on INPUT_OBJECT`;

/**
 * Generated types first, then generic ones, both sorted. Yields after each field: a type may have thousands.
 * @param generic the schema with the generic types
 * @param hints added to descriptions. @default none
 */
export function* printTypedSchema(
  schema: GraphQLSchema,
  generic: GraphQLSchema,
  hints: Hints = new Map(),
): Generator<void, string, void> {
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
  const parts = [ONE_OF, ...directivesOf(schema)];
  for (const type of [...first, ...others]) {
    yield;
    parts.push(yield* printGenerated(type, hints));
  }
  for (const type of types.filter(isGeneric)) {
    yield;
    // `printType` omits applied directives, such as @semanticNonNull.
    parts.push(type.astNode ? print(type.astNode) : printType(type));
  }
  return `${parts.join('\n\n')}\n`;
}

function directivesOf(schema: GraphQLSchema): string[] {
  const shown = schema.getDirectives().filter(({ name }) => name !== 'oneOf');
  const text = printSchema(new GraphQLSchema({ directives: shown, assumeValid: true }));
  return parse(text)
    .definitions.filter((definition) => definition.kind === Kind.DIRECTIVE_DEFINITION)
    .map((definition) => print(definition));
}

/** `printType` omits applied directives, and prints a type at once. */
function* printGenerated(type: GraphQLNamedType, hints: Hints): Generator<void, string, void> {
  const members: (FieldDefinitionNode | EnumValueDefinitionNode | InputValueDefinitionNode)[] = [];
  const isOutput = isObjectType(type) || isInterfaceType(type);
  if (isOutput) for (const field of Object.values(type.getFields())) members.push(fieldNode(field, hints));
  else if (isInputObjectType(type))
    for (const field of Object.values(type.getFields())) members.push(valueNode(field));
  else if (isEnumType(type))
    for (const value of type.getValues())
      members.push({
        kind: Kind.ENUM_VALUE_DEFINITION,
        name: nameNode(value.name),
        ...described(value),
        directives: directivesFor(value),
      });
  else return printType(type);
  const lines: string[] = [];
  for (const member of members) {
    lines.push(`  ${print(member).replaceAll('\n', '\n  ')}`);
    yield;
  }
  const about = described(type).description;
  const description = about === undefined ? '' : `${print(about)}\n`;
  const kind = isObjectType(type) ? 'type' : isInterfaceType(type) ? 'interface' : isEnumType(type) ? 'enum' : 'input'; // prettier-ignore
  const interfaces = isOutput && type.getInterfaces().length > 0 ? ` implements ${type.getInterfaces().join(' & ')}` : ''; // prettier-ignore
  const directives = [
    ...(isInputObjectType(type) && type.isOneOf ? ['@oneOf'] : []),
    ...directivesFor(type).map((directive) => print(directive)),
  ];
  const head = [`${kind} ${type.name}${interfaces}`, ...directives].join(' ');
  return `${description}${head} {\n${lines.join('\n')}\n}`;
}

function fieldNode(field: GraphQLField<unknown, unknown>, hints: Hints): FieldDefinitionNode {
  const description = [plainDescription(field), hints.get(field)].filter((text) => text !== undefined);
  return {
    kind: Kind.FIELD_DEFINITION,
    name: nameNode(field.name),
    ...described({ description: description.length === 0 ? undefined : description.join(' ') }),
    arguments: field.args.map((argument) => valueNode(argument)),
    type: parseType(String(field.type)),
    directives: directivesFor(field),
  };
}

function valueNode(value: GraphQLArgument | GraphQLInputField): InputValueDefinitionNode {
  const preset = defaultNode(value);
  return {
    kind: Kind.INPUT_VALUE_DEFINITION,
    name: nameNode(value.name),
    ...described(value),
    type: parseType(String(value.type)),
    ...(preset === undefined ? {} : { defaultValue: preset }),
    directives: directivesFor(value),
  };
}

function defaultNode({
  default: preset,
  type,
}: GraphQLArgument | GraphQLInputField): ConstValueNode | undefined {
  if (preset === undefined) return undefined;
  return preset.literal ?? valueToLiteral(preset.value, type);
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

/** Whether the text is the same as a block string: without control characters and white space at its ends. */
function isBlock(text: string): boolean {
  return text !== '' && text.trim() === text && !/[^\P{Cc}\n]/u.test(text);
}

function described({ description }: { readonly description?: string | undefined | null }) {
  if (typeof description !== 'string') return {};
  return { description: { kind: Kind.STRING, value: description, block: isBlock(description) } } as const; // prettier-ignore
}

function directivesFor(element: MaybeNoted): ConstDirectiveNode[] {
  const zarr = zarrOf(element);
  const args = Object.entries({ name: zarr.name, path: zarr.path }).flatMap(
    ([name, value]) =>
    value === undefined ? [] : [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: { kind: Kind.STRING, value } } as const], // prettier-ignore
  );
  if (args.length === 0) return [];
  return [{ kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'zarr' }, arguments: args }];
}
