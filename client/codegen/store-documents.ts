/** Typed documents for the schema of a store: GraphQL Code Generator, configured for a gateway. Runs on Node. */
import type * as generatorModule from '@graphql-codegen/cli';
import { networkError, rejectMalformed, RequestError, TransportError } from '../errors.js';
import { optionsForStore, resolveOptions, type ResolvedOptions } from '../options.js';
import { readBody } from '../transport/body.js';
import { createDeadline, untilAborted } from '../transport/deadline.js';
import { headersOf } from '../transport/headers.js';
import { fetchWithinOrigin } from '../transport/redirects.js';
import { parseResponse } from '../transport/response.js';
import { CodegenOptionError, parseHeaders, type CodegenOptions } from './command.js';

/** Separate from the SDK, because only users of this generator install them. */
const packages =
  'graphql @graphql-codegen/cli @graphql-codegen/typescript-operations @graphql-codegen/typed-document-node @graphql-typed-document-node/core';

/** Documents that GraphQL Code Generator cannot read, or that are invalid for the schema. */
export class CodegenDocumentError extends Error {}

export interface StoreDocumentsOptions extends CodegenOptions {
  /** Patterns of files with documents: `.graphql`, or TypeScript with documents tagged `gql` or `graphql`. */
  readonly documents: readonly string[];
}

/**
 * Writes the types of the operations in files, and a `TypedDocumentNode` for each, for `client.store(name).request`.
 * @returns TypeScript
 * @throws CodegenOptionError; CodegenDocumentError; errors of the client
 */
export async function generateStoreDocuments(options: StoreDocumentsOptions): Promise<string> {
  const { url, store: stores = [], header = [], name, documents, runtime = 'zarrql-client' } = options;
  const [store, ...others] = stores;
  if (store === undefined || others.length > 0)
    throw new CodegenOptionError('--documents requires exactly one --store, whose schema the documents use');
  if (name !== undefined) throw new CodegenOptionError('--name is only for types of stores; omit it with --documents'); // prettier-ignore
  const resolved = resolveOptions({ url, headers: parseHeaders(header) });
  // The SDL is below the endpoint of the store.
  const schema = await readText(optionsForStore(resolved, `${store}/schema.graphql`));
  const { generate } = await importGenerator();
  const generated: unknown = await generate(
    {
      schema,
      documents: [...documents],
      silent: true,
      generates: {
        'documents.ts': {
          plugins: ['typescript-operations', 'typed-document-node'],
          config: {
            strictScalars: true,
            scalars: {
              ID: 'string',
              BigInt: 'number | string',
              JSON: 'unknown',
              NDArray: { input: 'unknown', output: `${runtime}#AnyNDArray` },
              PartialDate: 'string',
              URL: 'string',
            },
            enumsAsTypes: true,
            useTypeImports: true,
            skipTypename: true,
          },
        },
      },
    },
    false,
  ).catch((error: unknown) => {
    throw new CodegenDocumentError(reasonsOf(error), { cause: error });
  });
  const [file] = filesOf(generated);
  if (file === undefined) throw new TypeError('the generator wrote no file');
  return `// Written by \`zarrql codegen\` for the store ${JSON.stringify(store)}. Rerun it when documents change.\n${file}`;
}

async function importGenerator(): Promise<Pick<typeof generatorModule, 'generate'>> {
  try {
    return await import('@graphql-codegen/cli');
  } catch (error) {
    throw new CodegenOptionError(`--documents requires GraphQL Code Generator; run npm install --save-dev ${packages}`, { cause: error }); // prettier-ignore
  }
}

/** The generator's declared type is `any`. */
function filesOf(result: unknown): string[] {
  if (!Array.isArray(result)) return [];
  return result.flatMap((file: unknown) => {
    const content: unknown = typeof file === 'object' && file !== null ? Reflect.get(file, 'content') : '';
    return typeof content === 'string' ? [content] : [];
  });
}

/** The generator collects the errors of all files. */
function reasonsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonsOf).join('; ');
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim();
}

/** @throws RequestError with the gateway's reason; TransportError */
async function readText(options: ResolvedOptions): Promise<string> {
  const { url, timeoutMs, maxResponseBytes } = options;
  const headers = await headersOf(options, { accept: 'application/graphql, application/graphql-response+json;q=0.9' }); // prettier-ignore
  const deadline = createDeadline(undefined, timeoutMs);
  const { signal } = deadline;
  const fetching = (async () => {
    const response = await fetchWithinOrigin(options, url, { method: 'GET', headers, signal });
    return { response, bytes: await readBody(response, maxResponseBytes, () => undefined) };
  })();
  const { response, bytes } = await untilAborted(fetching, signal)
    .catch((error: unknown) => {
      throw networkError(error, url);
    })
    .finally(() => deadline.close());
  const { status } = response;
  const contentType = response.headers.get('content-type') ?? '';
  if (status === 200 && contentType.startsWith('application/graphql;'))
    return new TextDecoder().decode(bytes);
  const head = { status, contentType, retryAfterMs: undefined };
  const [first, ...others] = rejectMalformed(() => parseResponse(bytes, head, maxResponseBytes)).errors;
  if (first !== undefined) throw new RequestError([first, ...others], undefined);
  throw new TransportError('BAD_RESPONSE', 'the response is not the schema of a store; check the URL', { status }); // prettier-ignore
}
