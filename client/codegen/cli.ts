#!/usr/bin/env node
/** The program `zarrql-client`: `zarrql codegen` without the packages of the gateway. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isZarrqlError } from '../errors.js';
import { CodegenOptionError, generateStores } from './command.js';
import { CodegenDocumentError, generateStoreDocuments } from './store-documents.js';

const help = `Usage: zarrql-client codegen --url URL --out FILE [options]

generate TypeScript types for the stores of a gateway, or for documents of the schema of one store

Options:
  --url <URL>         endpoint URL of the gateway, http://HOST:PORT/graphql
  --out <FILE>        TypeScript file to write, or - for stdout
  --store <NAME>      include only this store; repeatable (default: all stores)
  --header <TEXT>     request header "Name: value"; repeatable
  --documents <GLOB>  write typed documents for client.store(NAME).request instead: the operations in these
                      files, .graphql or TypeScript with gql tags; repeatable; requires one --store
  --name <NAME>       name of the generated interface (default: Stores)
  --runtime <MODULE>  module that the generated file imports types from (default: zarrql-client)
  -h, --help          display help

Examples:
  zarrql-client codegen --url http://127.0.0.1:4000/graphql --out src/stores.gen.ts
  zarrql-client codegen --url https://data.example.org/graphql --header "authorization: Bearer $TOKEN" --out stores.gen.ts
  zarrql-client codegen --url http://127.0.0.1:4000/graphql --store coads --documents 'src/**/*.graphql' --out src/coads.gen.ts

--documents runs GraphQL Code Generator, which you install: see docs/clients/codegen.md.
`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args);
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  const [command, ...others] = positionals;
  if (command !== 'codegen' || others.length > 0)
    throw new CodegenOptionError(
      command === undefined
        ? 'expected a command; see --help'
        : `unknown argument ${(command === 'codegen' ? others : positionals).join(' ')}; see --help`,
    );
  const { url, out, documents, ...options } = values;
  if (url === undefined || out === undefined)
    throw new CodegenOptionError(`--${url === undefined ? 'url' : 'out'} is required; see --help`);
  const code = await (documents === undefined
    ? generateStores({ url, ...options }, print)
    : generateStoreDocuments({ url, documents, ...options }));
  if (out === '-') process.stdout.write(code);
  else await writeFile(out, code);
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { url: text, out: text, store: texts, header: texts, documents: texts, name: text, runtime: text, help: { type: 'boolean', short: 'h' } }, // prettier-ignore
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The first sentence names the option; a value after "=" may be a secret.
    throw new CodegenOptionError(`${error.message.split('. ')[0]?.replace(/=[^']*/, '') ?? ''}; see --help`);
  }
}

function print(message: string): void {
  process.stderr.write(`zarrql-client: ${message.replaceAll(/\p{Cc}/gu, ' ')}\n`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof CodegenOptionError;
  const isExpected =
    isUsage ||
    error instanceof CodegenDocumentError ||
    isZarrqlError(error) ||
    (error instanceof Error && 'syscall' in error);
  if (!isExpected) throw error;
  print(error.message);
  process.exitCode = isUsage ? 2 : 1;
}
