/**
 * The schema in GraphQL schema language, from schema/. In dist/, this module is only the text, so that the gateway reads
 * no files at startup and can be bundled (scripts/build.mjs).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type DefinitionNode, Kind, type NameNode, parse, print } from 'graphql';

const folder = new URL('../../schema/', import.meta.url);

function* definitionsOf(name: string): Generator<DefinitionNode> {
  yield* parse(readFileSync(new URL(name, folder), 'utf8')).definitions;
}

/** Moves the fields of `extend type` and `extend input` into the type. Other extensions do not occur in schema/. */
function merged(definitions: readonly DefinitionNode[]): readonly DefinitionNode[] {
  const types = definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_EXTENSION);
  const inputs = definitions.filter((node) => node.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION);
  const all = definitions.map((node): DefinitionNode => {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION) return { ...node, fields: withAdded(node, types) };
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) return { ...node, fields: withAdded(node, inputs) };
    return node;
  });
  const extensions = new Set<DefinitionNode>([...types, ...inputs]);
  return all.filter((node) => !extensions.has(node));
}

interface WithFields<F> {
  readonly name: NameNode;
  readonly fields?: readonly F[] | undefined;
}

function withAdded<F>(node: WithFields<F>, extensions: readonly WithFields<F>[]): F[] {
  const added = extensions.filter(({ name }) => name.value === node.name.value);
  return [node, ...added].flatMap(({ fields }) => fields ?? []);
}

const definitions = readdirSync(folder)
  .filter((name) => name.endsWith('.graphql'))
  .toSorted()
  .flatMap((name) => [...definitionsOf(name)]);

// `printSchema` would omit the directives of fields.
export const typeDefs: string = print({ kind: Kind.DOCUMENT, definitions: merged(definitions) });
