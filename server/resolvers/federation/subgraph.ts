/**
 * The schema as a subgraph of Apollo Federation 2. Types with an `id` are entities, which the gateway finds as
 * `Query.node` does.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  GraphQLSchema,
  isInterfaceType,
  isUnionType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  specifiedScalarTypes,
  visit,
} from 'graphql';
import { typeDefs } from '../type-defs.js';
import { InputError } from '../../zarr/index.js';

export interface SubgraphOptions {
  /** Start of the names of all types, except `Node`, `PageInfo` and the root types. @default none */
  readonly prefix?: string | undefined;
}

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';

/** Compositions of GraphQL specifications that do not contain `@oneOf` require its definition. */
const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Names that are the same in every subgraph. */
const sharedNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
  ...specifiedScalarTypes.map(({ name }) => name),
]);

/** The directives that routers implement themselves. */
const routerDirectives: ReadonlySet<string> = new Set(['defer', 'stream']);

/** The text of the subgraph for composition. @throws InputError for an invalid prefix */
export function subgraphSdl(options: SubgraphOptions = {}): string {
  const document = parse(typeDefs);
  const rename = typeNames(options, document);
  const definitions = document.definitions
    .filter((node) => node.kind !== Kind.DIRECTIVE_DEFINITION || !routerDirectives.has(node.name.value))
    .map(withFederationDirectives);
  const renamed = visit(
    { ...document, definitions },
    {
      NamedType: (node) => ({ ...node, name: { ...node.name, value: rename(node.name.value) } }),
      enter: (node) =>
        'name' in node && isTypeDefinition(node)
          ? { ...node, name: { ...node.name, value: rename(node.name.value) } }
          : undefined,
    },
  );
  return `${LINK}\n\n${ONE_OF}\n\n${print(renamed)}\n`;
}

/** The additional types and fields of a subgraph. */
export function entityTypeDefs(): string {
  const entities = parse(typeDefs).definitions.filter(isEntity);
  return `
"""
An entity as a gateway refers to it: its \`__typename\` and its \`id\`.
"""
scalar _Any

"""
Types that other subgraphs may refer to by \`id\`.
"""
union _Entity = ${entities.map(({ name }) => name.value).join(' | ')}

"""
Description of this subgraph.
"""
type _Service {
  """
  The schema of the subgraph for composition.
  """
  sdl: String!
}

extend type Query {
  """
  Entities by \`id\`, in the given order; see \`nodes\`. An entity that is not found is null, with its own error.
  """
  _entities(
    """
    At most \`gateway { limits { maxFirst } }\` entities.
    """
    representations: [_Any!]!
  ): [_Entity]!
  """
  Description of this subgraph.
  """
  _service: _Service!
}
`;
}

/** Renames the types of a schema that nothing else uses. */
export function renameTypes(schema: GraphQLSchema, rename: (name: string) => string): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    type.name = rename(type.name);
    if (!isInterfaceType(type) && !isUnionType(type)) continue;
    const { resolveType } = type;
    if (resolveType === undefined || resolveType === null) continue;
    type.resolveType = async (...given) => {
      const name = await resolveType(...given);
      return name === undefined ? undefined : rename(name);
    };
  }
  return new GraphQLSchema(schema.toConfig());
}

/**
 * The function that maps names of types to those of the subgraph.
 * @throws InputError for a prefix that is not the start of a name, or leads to equal names
 */
export function typeNames(
  { prefix = '' }: SubgraphOptions,
  { definitions }: DocumentNode = parse(typeDefs),
): (name: string) => string {
  if (prefix === '') return (name) => name;
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(prefix))
    throw new InputError(
      `prefix ${JSON.stringify(prefix.slice(0, 100))}: expected a letter and at most 63 letters, digits and underscores`,
    );
  const rename = (name: string): string =>
    sharedNames.has(name) || name.startsWith('_') || name.startsWith(prefix) ? name : `${prefix}${name}`;
  const names = definitions.filter(isTypeDefinition).map(({ name }) => name.value);
  const twice = names.find((name) => rename(name) !== name && names.includes(rename(name)));
  if (twice !== undefined)
    throw new InputError(`prefix "${prefix}": ${twice} would become ${rename(twice)}, which is another type`);
  return rename;
}

type TypeDefinition = Extract<DefinitionNode, { readonly kind: `${string}TypeDefinition` }>;

function isTypeDefinition(node: { readonly kind: string }): node is TypeDefinition {
  return node.kind.endsWith('TypeDefinition') && node.kind !== Kind.OPERATION_TYPE_DEFINITION;
}

function isEntity(node: DefinitionNode): node is ObjectTypeDefinitionNode {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION &&
    node.interfaces?.some(({ name }) => name.value === 'Node') === true
  );
}

function withFederationDirectives(node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
  const added = [
    ...(isEntity(node) ? [keyDirective] : []),
    ...(node.name.value === 'PageInfo' ? [shareableDirective] : []),
  ];
  return { ...node, directives: [...(node.directives ?? []), ...added] };
}

const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
const shareableDirective: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: name('shareable') };
const keyDirective: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: name('key'),
  arguments: [{ kind: Kind.ARGUMENT, name: name('fields'), value: { kind: Kind.STRING, value: 'id' } }],
};
