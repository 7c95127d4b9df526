/** The endpoint of each store: the pipeline over the schema that is generated from the store. */
import { createHash } from 'node:crypto';
import {
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { CallerRights } from '../resolvers/access/caller-rights.js';
import { visibleStore } from '../resolvers/access/caller-rights.js';
import { createContext } from '../resolvers/context.js';
import type { StoreModel } from '../resolvers/models.js';
import type { TypedSchemaOptions } from '../typed/build-schema.js';
import { describeWith, type Hints, readHints } from '../typed/hints.js';
import { printTypedSchema } from '../typed/print.js';
import { orAfter, SCHEMA_MAX_AGE_MS, type SchemaClient, TypedSchemas } from '../typed/schemas.js';
import { IN_PROCESS } from '../memory/budget.js';
import { inTurns, NotFoundError } from '../zarr/index.js';
import { rawResponse, type RawResponse } from '../transport/response.js';
import {
  createIntrospectionResults,
  createIntrospections,
  introspectionFields,
  type Introspections,
  isIntrospection,
} from './introspections.js';
import { matchesEtag } from './pipeline/cache-control.js';
import type { OperationCost, TypedSchemaLimits } from './options.js';
import { createDocuments, createDocumentTexts } from './pipeline/documents.js';
import { createOperationRecorder } from './pipeline/record-operations.js';
import {
  createPipeline,
  type OperationRequest,
  type Pipeline,
  type PipelineParts,
  type RequestScope,
} from './pipeline/pipeline.js';
import type { ResultStream } from './pipeline/subscribe.js';

/** Fields `__schema` and `__type` of one document. */
const MAX_INTROSPECTIONS = 8;
/** Default of `schemaCacheBytes`. */
const SCHEMA_CACHE_BYTES = 64 * 2 ** 20;
/** An introspection waits no longer for the first hints of its schema. */
const HINTS_WAIT_MS = 500;
/** Maximum time to read hints. */
const HINTS_MS = 30_000;
/** Memory for what belongs to schemas, as shares of `schemaCacheBytes`: documents, results of introspection, SDL. */
const shares = { documents: 1 / 4, introspections: 1 / 8, sdl: 1 / 8 } as const;

export interface TypedEndpointOptions extends TypedSchemaLimits {
  readonly parts: Omit<PipelineParts, 'documents'>;
  readonly introspection: boolean;
  readonly optionsOf: (store: string) => TypedSchemaOptions;
  readonly warn: (store: string, problem: string) => void;
}

export interface TypedEndpoint {
  /**
   * The pipeline over the schema of a store, as the caller sees it.
   * @throws NotFoundError for a store that does not exist or has no schema; errors from building the schema
   */
  pipeline(store: string, rights: CallerRights, client: SchemaClient): Promise<Pipeline>;
  /** The SDL, with its ETag. @throws errors from `pipeline` */
  sdl(store: string, rights: CallerRights, client: SchemaClient): Promise<Sdl>;
  /** The SDL with sizes, chunks and labels, which are read now. @throws errors from `pipeline` */
  hintedSdl(store: string, rights: CallerRights, client: SchemaClient): Promise<string>;
  /** The schema. @throws errors from `pipeline` */
  schema(store: string, rights: CallerRights, client: SchemaClient): Promise<GraphQLSchema>;
  /** Call this after a change of nodes through the gateway. */
  changed(store: string): void;
  /** Call this when a store is no longer served. */
  removed(store: string): void;
}

export interface Sdl {
  /** UTF-8. */
  readonly body: Buffer;
  readonly etag: string;
  /** Charged to the client that requests it, like an introspection. */
  readonly fields: number;
}

interface Served {
  readonly schema: GraphQLSchema;
  readonly pipeline: Pipeline;
  /** For documents of the gateway itself, which metrics do not count. */
  readonly internal: Pipeline;
  readonly introspections: Introspections;
  /** Charged for each introspection. */
  readonly fields: number;
  /** Start of the keys of what belongs to this schema. */
  readonly prefix: string;
  /** While the SDL is printed, once for concurrent requests. */
  printing?: Promise<Sdl> | undefined;
  readonly hints: HintsState;
}

/** The descriptions of a schema with what changes with the data. */
interface HintsState {
  /** Part of the keys of introspections. Increases when a description changes. */
  version: number;
  readAtMs: number;
  reading: Promise<void> | undefined;
}

export function createTypedEndpoint(options: TypedEndpointOptions): TypedEndpoint {
  const { parts, introspection } = options;
  const { schema: generic, gateway } = parts;
  const maxBytes = options.schemaCacheBytes ?? SCHEMA_CACHE_BYTES;
  const texts = createDocumentTexts(Math.ceil(shares.documents * maxBytes));
  const results = createIntrospectionResults(Math.ceil(shares.introspections * maxBytes));
  const sdls = new LRUCache<string, Sdl>({ maxSize: Math.ceil(shares.sdl * maxBytes), sizeCalculation: ({ body }) => body.length }); // prettier-ignore
  let served = 0;
  const schemas = new TypedSchemas<Served>({
    generic,
    memory: gateway.memory,
    optionsOf: options.optionsOf,
    maxBytes,
    maxAgeMs: options.schemaMaxAgeMs,
    maxFields: options.maxSchemaFields,
    warn: options.warn,
    serve(schema) {
      const { limits } = gateway;
      // Documents and results of a schema that is not kept any more are never found, and make way for others.
      served += 1;
      const prefix = `${served}\n`;
      const documents = createDocuments({ schema, limits, introspection, shared: { texts, prefix } });
      // Each is executed in one turn of the event loop. A schema that exceeds the limit by itself can still be queried, alone.
      const least = Math.ceil(limits.maxComplexity / (1 + MAX_INTROSPECTIONS));
      const fields = Math.min(
        Math.max(introspectionFields(schema), least),
        Math.floor(limits.maxComplexity / 2),
      );
      const pipeline = createPipeline({ ...parts, schema, generic, documents, introspectionFields: fields });
      const record = createOperationRecorder({}, parts.show);
      const internal = createPipeline({ ...parts, schema, documents, record });
      const hints = { version: 0, readAtMs: -Infinity, reading: undefined };
      return {
        schema,
        pipeline,
        internal,
        fields,
        prefix,
        introspections: createIntrospections(results, prefix),
        hints,
      };
    },
  });

  function storeOf(name: string, rights: CallerRights): StoreModel {
    const store = visibleStore(gateway.stores, rights, name);
    if (store === undefined || !schemas.isEnabled(name)) throw unknownStore();
    return store;
  }

  /** Reads hints as a request of the caller, which no other request waits for. */
  async function hintsOf(
    { internal, schema }: Served,
    store: StoreModel,
    rights: CallerRights,
    { client, charge }: SchemaClient,
  ): Promise<Hints> {
    const memory = gateway.memory.open(client ?? IN_PROCESS);
    const signal = AbortSignal.timeout(HINTS_MS);
    try {
      return await readHints(schema, schemas.sizesOf(store, rights), async (document) => {
        const request = { document: parse(document), operationName: undefined, variables: undefined, cost: undefined }; // prettier-ignore
        const observe = ({ cost }: { readonly cost?: OperationCost | undefined }) =>
          charge?.(cost?.fields ?? 0);
        const result = await internal.run(request, {
          rights,
          client,
          memory,
          signal,
          observe,
          transport: 'process',
        });
        return isAsyncIterable(result) ? undefined : (result.data ?? undefined);
      });
    } finally {
      memory.end();
    }
  }

  /** Reads the hints again in the background if they are old. @returns when there are hints to show, or they take too long */
  async function refreshHints(
    served: Served,
    store: StoreModel,
    rights: CallerRights,
    client: SchemaClient,
  ): Promise<void> {
    const { hints } = served;
    const isFirst = hints.readAtMs === -Infinity;
    if (performance.now() - hints.readAtMs > (options.schemaMaxAgeMs ?? SCHEMA_MAX_AGE_MS))
      hints.reading ??= hintsOf(served, store, rights, client)
        .then((found) => {
          if (describeWith(found)) hints.version += 1;
        })
        .catch(() => undefined)
        .finally(() => {
          hints.readAtMs = performance.now();
          hints.reading = undefined;
        });
    if (isFirst && hints.reading !== undefined) await orAfter(HINTS_WAIT_MS, hints.reading, undefined);
  }

  async function runWithIntrospections(
    served: Served,
    request: OperationRequest,
    scope: RequestScope,
    store: StoreModel,
    schemaClient: SchemaClient,
  ): Promise<ExecutionResult | ResultStream> {
    const { pipeline, introspections, fields } = served;
    const asked = introspection ? introspectionIn(pipeline, request, scope) : undefined;
    if (asked === undefined) return pipeline.run(request, scope);
    if (asked.key.includes('description')) await refreshHints(served, store, scope.rights, schemaClient);
    const found = { ...asked, key: `${served.hints.version}\n${asked.key}` };
    if (!introspections.has(found.key)) {
      const result = await pipeline.run(request, scope);
      if (!isAsyncIterable(result)) await introspections.keep(found.key, result);
      return result;
    }
    // Charged as if it was executed, before the result takes memory.
    const start = performance.now();
    const { rights, signal, memory, client, observe } = scope;
    const { budget } = createContext(gateway, { rights, signal, memory, client });
    budget.chargeFields(fields);
    await budget.reserveFields(signal);
    const known = await introspections.find(found.key);
    if (known === undefined) return pipeline.run(request, scope);
    parts.record(found.definition, { observe, budget }, start, known);
    return known;
  }

  return {
    async pipeline(name, rights, client) {
      const store = storeOf(name, rights);
      const served = await schemas.get(store, rights, client);
      return {
        ...served.pipeline,
        async run(request, scope) {
          try {
            // The store may have changed since the last check of its schema.
            const current = (await isValid(served.pipeline, request))
              ? served
              : await schemas.getChecked(store, rights, client);
            // Answers are remembered for the schema that was found first.
            if (current !== served) scope.recording?.refuse();
            return await runWithIntrospections(current, request, scope, store, client);
          } catch (error) {
            return served.pipeline.failure(error);
          }
        },
      };
    },
    async sdl(name, rights, client) {
      const served = await schemas.get(storeOf(name, rights), rights, client);
      const known = sdls.get(served.prefix);
      if (known !== undefined) return known;
      served.printing ??= sdlOf(served, generic).finally(() => {
        served.printing = undefined;
      });
      const sdl = await served.printing;
      sdls.set(served.prefix, sdl);
      return sdl;
    },
    async hintedSdl(name, rights, client) {
      const store = storeOf(name, rights);
      const served = await schemas.get(store, rights, client);
      const hints = await hintsOf(served, store, rights, client);
      return inTurns(printTypedSchema(served.schema, generic, hints));
    },
    schema: async (name, rights, client) => (await schemas.get(storeOf(name, rights), rights, client)).schema,
    changed: (store) => schemas.changed(store),
    removed: (store) => schemas.removed(store),
  };
}

/** The same error for unknown and hidden stores. */
function unknownStore(): NotFoundError {
  return new NotFoundError('no store with a schema has this name');
}

/** Whether the document is valid, or would be invalid for every schema. */
async function isValid({ documents }: Pipeline, { document }: OperationRequest): Promise<boolean> {
  try {
    if (!('text' in document)) return documents.validate(documents.of(document)).length === 0;
    return (await documents.check(document.text)).errors.length === 0;
  } catch {
    // The pipeline reports the error.
    return true;
  }
}

interface FoundIntrospection {
  readonly definition: OperationDefinitionNode;
  /** Identifies the result. */
  readonly key: string;
}

/** The operation, if its result may be kept: a valid query of the schema alone, over a transport that writes it. */
function introspectionIn(
  { documents }: Pipeline,
  { document, operationName, variables, cost }: OperationRequest,
  { transport }: RequestScope,
): FoundIntrospection | undefined {
  if (!('text' in document) || cost !== undefined || transport === 'process') return undefined;
  if (!documents.isRemembered(document.text)) return undefined;
  const definition = getOperationAST(documents.parse(document.text).document, operationName);
  if (!definition || !isIntrospection(definition, variables)) return undefined;
  return { definition, key: `${operationName ?? ''}\n${document.text}` };
}

async function sdlOf({ schema, fields }: Served, generic: GraphQLSchema): Promise<Sdl> {
  const body = Buffer.from(await inTurns(printTypedSchema(schema, generic)), 'utf8');
  return { body, fields, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}

export function sdlResponse({ body, etag }: Sdl, ifNoneMatch: string | undefined): RawResponse {
  const headers = { etag, vary: 'Accept', 'cache-control': 'private, no-cache' };
  if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers, body: null };
  const type = { 'content-type': 'application/graphql; charset=utf-8' };
  return rawResponse([body], 200, { ...headers, ...type });
}

/** What a path below the endpoint stands for. */
export interface StoreTarget {
  readonly store: string;
  /** Whether the SDL is requested. */
  readonly isSchema: boolean;
}

/** @param pathname the path of a URL; names are percent-encoded */
export function storeTargetOf(pathname: string, endpoint: string): StoreTarget | undefined {
  if (!pathname.startsWith(`${endpoint}/`)) return undefined;
  const parts = pathname.slice(endpoint.length + 1).split('/');
  const isSchema = parts.length > 1 && parts.at(-1) === 'schema.graphql';
  const name = isSchema ? parts.slice(0, -1) : parts;
  // The name of a store in a folder of stores may contain slashes.
  if (name.includes('')) return undefined;
  try {
    return { store: name.map((part) => decodeURIComponent(part)).join('/'), isSchema };
  } catch {
    return undefined;
  }
}
