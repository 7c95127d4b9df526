/** `zarrql schema`: prints the schema of the gateway or of a store, compares it, and validates documents. */
import { buildSchema, findBreakingChanges, parse, validate, type GraphQLSchema } from 'graphql';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createGateway } from '../gateway.js';
import { fullAccess, type StoreEndpoint } from '../gateway/options.js';
import { parsePathPattern, subgraphSdl, typeDefs } from '../gateway/schema-text.js';
import { locateNode } from './locate-node.js';
import { storeNameOf } from './store-names.js';
import { writeOutput } from './output.js';
import { CommandFailure, runCommand, UsageError } from './run-command.js';

export interface SchemaOptions {
  /** Whether to print the schema of a subgraph. @default false */
  readonly federation?: boolean;
  /** Start of the names of types in the subgraph. */
  readonly prefix?: string;
  /** File of an earlier schema of the store. */
  readonly diff?: string;
  /** Whether to add sizes, chunks and the first and last labels. @default false */
  readonly hints?: boolean;
  /** Pattern of files with documents. */
  readonly check?: string;
}

export function printSchemaText(address: string | undefined, options: SchemaOptions): Promise<void> {
  return runCommand(async () => {
    const { federation = false, prefix, diff, check, hints = false } = options;
    if (prefix !== undefined && !federation) throw new UsageError('--prefix requires --federation');
    if (address === undefined) {
      if (diff !== undefined || check !== undefined || hints)
        throw new UsageError(
          `--${hints ? 'hints' : diff === undefined ? 'check' : 'diff'} requires the path or URL of a store`,
        );
      await writeOutput([federation ? subgraphSdl({ prefix }) : `${typeDefs}\n`], undefined);
      return;
    }
    if (hints && (diff !== undefined || check !== undefined))
      throw new UsageError('--hints is only for the printed schema; omit it with --diff and --check');
    if (federation)
      throw new UsageError('the schema of a store is no subgraph; omit --federation or the store');
    await withStore(address, async (store) => {
      if (diff === undefined && check === undefined)
        await writeOutput([await store.sdl({ hints })], undefined);
      if (diff !== undefined) await printChanges(diff, await store.sdl());
      if (check !== undefined) await checkDocuments(check, await store.schema());
    });
  });
}

async function withStore(address: string, use: (store: StoreEndpoint) => Promise<void>): Promise<void> {
  const { hierarchy, node } = await locateNode(address);
  if (node.path !== '/')
    throw new UsageError(`${address} is the node ${node.path} of a store; state the store itself`);
  const name = storeNameOf(address);
  const gateway = createGateway({ stores: [{ name, store: hierarchy.store }] });
  try {
    await use(gateway.as(fullAccess).forStore(name));
  } finally {
    await gateway.close();
  }
}

/** @throws CommandFailure if a change breaks clients */
async function printChanges(file: string, now: string): Promise<void> {
  const changes = findBreakingChanges(buildSchema(await readFile(file, 'utf8')), buildSchema(now));
  for (const { description } of changes) process.stdout.write(`${description}\n`);
  if (changes.length > 0)
    throw new CommandFailure(`changes since ${file} that break clients: ${changes.length}`);
}

/** @throws CommandFailure for invalid documents */
async function checkDocuments(pattern: string, schema: GraphQLSchema): Promise<void> {
  const files = await filesOf(pattern);
  if (files.length === 0) throw new UsageError(`no file matches ${pattern}`);
  let failures = 0;
  for (const file of files) {
    const problems = await problemsIn(file, schema);
    for (const problem of problems) process.stdout.write(`${file}: ${problem}\n`);
    failures += problems.length;
  }
  if (failures > 0) throw new CommandFailure(`errors: ${failures}; files: ${files.length}`);
}

/** A document, or a JSON object of documents by id (a manifest of persisted documents). */
async function problemsIn(file: string, schema: GraphQLSchema): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  if (!file.endsWith('.json')) return problemsOf(text, schema);
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest !== 'object' || manifest === null) return ['expected a JSON object of documents by id'];
  return Object.entries(manifest).flatMap(([id, document]: [string, unknown]) =>
    typeof document === 'string'
      ? problemsOf(document, schema).map((problem) => `${id}: ${problem}`)
      : [`${id}: expected the text of a document`],
  );
}

function problemsOf(text: string, schema: GraphQLSchema): string[] {
  try {
    return validate(schema, parse(text)).map(({ message, locations }) => {
      const [at] = locations ?? [];
      return at === undefined ? message : `line ${at.line}, column ${at.column}: ${message}`;
    });
  } catch (error) {
    if (error instanceof Error) return [error.message];
    throw error;
  }
}

/** The files that match a pattern with `*` and `**`, relative to the working directory or absolute. */
async function filesOf(pattern: string): Promise<string[]> {
  if (!pattern.includes('*')) return [pattern];
  const fixed = pattern.slice(0, pattern.indexOf('*'));
  const folder = fixed.slice(0, fixed.lastIndexOf('/') + 1) || '.';
  const matcher = parsePathPattern(pattern.slice(folder === '.' ? 0 : folder.length));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.split(sep).includes('node_modules'))
    .filter((path) => matcher.matches(relative(folder, path).split(sep).join('/')))
    .toSorted();
}
