/**
 * A plugin for GraphQL Code Generator, used together with `typescript-operations`. Writes each operation as
 * a typed document (text with its fragments), and `createSdk` with one typed function per query or mutation. The
 * output needs no GraphQL library at run time.
 */
import type * as graphqlModule from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import * as catalog from '../generated/catalog.js';
import * as operations from '../generated/operations.js';
import { hashOf } from '../transport/persisted.js';
import { nestedDocument } from '../transport/load-variables.js';

/** The package `graphql`, imported on first use because only users of the generator install it. */
type GraphQL = Pick<typeof graphqlModule, 'Kind' | 'print' | 'visit'>;

export interface SdkPluginConfig {
  /** The module that exports `typedDocument`, `TypedDocument` and `Execute`. @default 'zarrql-client' */
  readonly runtime?: string;
}

/** The members of the generator's `Types.DocumentFile` that this plugin reads. */
export interface SdkPluginDocument {
  readonly document?: DocumentNode | undefined;
}

/** Called by the generator. @throws TypeError for an operation without a name */
export async function plugin(
  _schema: unknown,
  documents: readonly SdkPluginDocument[],
  config: SdkPluginConfig = {},
): Promise<{ prepend: string[]; content: string }> {
  const graphql = await import('graphql');
  const { Kind } = graphql;
  const definitions = documents.flatMap((file) => file.document?.definitions ?? []);
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const written = operations.map((operation) => writeOperation(graphql, operation, fragments));
  const runtime = JSON.stringify(config.runtime ?? 'zarrql-client');
  return {
    prepend: [
      `import { typedDocument } from ${runtime};`,
      `import type { Execute, RequestOptions, TypedDocument } from ${runtime};`,
    ],
    content: [
      ...written.map((operation) => operation.document),
      '/** One typed function per query or mutation; `execute` sends it. */',
      'export function createSdk(execute: Execute) {',
      '  return {',
      ...written.flatMap((operation) => operation.method ?? []),
      '  };',
      '}',
      'export type Sdk = ReturnType<typeof createSdk>;',
    ].join('\n'),
  };
}

function writeOperation(
  graphql: GraphQL,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): { document: string; method: string | undefined } {
  const { Kind, print } = graphql;
  const name = operation.name?.value;
  if (name === undefined)
    throw new TypeError(`an operation has no name: ${print(operation).slice(0, 80)}; add one`);
  const type = name + pascal(operation.operation);
  const text = [operation, ...neededFragments(graphql, operation, fragments)]
    .map((node) => print(node))
    .join('\n');
  const optional = (operation.variableDefinitions ?? []).every(
    (variable) => variable.type.kind !== Kind.NON_NULL_TYPE || variable.defaultValue !== undefined,
  );
  return {
    document:
      `export const ${name}Document: TypedDocument<${type}, ${type}Variables> = ` +
      `/*#__PURE__*/ typedDocument(${JSON.stringify(name)}, ${template(text)});\n`,
    // A subscription has no single result.
    method:
      operation.operation === 'subscription'
        ? undefined
        : `    ${camel(name)}: (variables${optional ? '?' : ''}: ${type}Variables, options?: RequestOptions) => ` +
          `execute(${name}Document, variables${optional ? ' ?? {}' : ''}, options),`,
  };
}

/** The fragments of an operation, including nested ones, without duplicates. */
function neededFragments(
  { visit }: GraphQL,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Iterable<FragmentDefinitionNode> {
  const needed = new Set<FragmentDefinitionNode>();
  const queue: (OperationDefinitionNode | FragmentDefinitionNode)[] = [operation];
  for (const definition of queue) {
    visit(definition, {
      FragmentSpread(spread) {
        const fragment = fragments.get(spread.name.value);
        if (fragment === undefined || needed.has(fragment)) return;
        needed.add(fragment);
        queue.push(fragment);
      },
    });
  }
  return needed;
}

/**
 * A template literal, one line per field, so that diffs stay small. Without indentation, which only block strings
 * require.
 */
function template(indented: string): string {
  const text = indented.includes('"""') ? indented : indented.replace(/^ +/gm, '');
  return '`\\\n' + text.replace(/[\\`]|\$\{/g, '\\$&') + '`';
}

function camel(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

function pascal(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Maximum number of nested `select` calls on a dataset in the list. */
const MAX_SELECTS = 3;

/**
 * The documents of this package by their hashes, for the gateway option `persistedDocuments`. A gateway that accepts
 * only listed documents then serves `createClient({ persisted: true })`. Covers up to three nested `select` calls on a
 * dataset. Does not contain the documents of `zarrql-client/analysis`, which are composed at run time.
 *
 * @example
 * await writeFile('documents.json', JSON.stringify(await sdkDocuments()));
 */
export async function sdkDocuments(): Promise<Record<string, string>> {
  const texts = Object.entries({ ...operations, ...catalog }).flatMap(([name, document]) =>
    name.endsWith('Document') ? [String(document)] : [],
  );
  const { DatasetSlicesDocument, DatasetSlicesBase64Document } = operations;
  const depths = Array.from({ length: MAX_SELECTS - 1 }, (_, i) => i + 2);
  const cuts = [DatasetSlicesDocument, DatasetSlicesBase64Document].flatMap(({ text }) =>
    depths.map((depth) => nestedDocument(text, depth)),
  );
  const entries = [...texts, ...cuts].map(async (text): Promise<[string, string]> => [
    `sha256:${await hashOf(text)}`,
    text,
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
