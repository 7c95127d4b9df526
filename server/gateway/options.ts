/** Configuration and interface of a gateway. */
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { LookupOutcome } from '../analysis/result-cache.js';
import type { JobServiceOptions } from '../jobs/job-service.js';
import type { JobStores } from '../jobs/stores.js';
import type { OperationCost } from '../resolvers/budget.js';
import type { PersistedDocumentsOptions } from './pipeline/persisted-documents.js';
import type { SubgraphOptions } from '../resolvers/federation/subgraph.js';
import type { CallerRights } from '../resolvers/access/caller-rights.js';
import type { ChangeBus } from '../resolvers/changes/change-bus.js';
import type { Replicas } from './replicas.js';
import type { GatewayLimits } from '../resolvers/limits.js';
import type { RequestMemory } from '../memory/budget.js';
import type { ResultLoans } from '../memory/lent-results.js';
import type { MemoryBudget } from '../memory/budget.js';
import type { RawResponse } from '../transport/response.js';
import type { TypedSchemaOptions } from '../typed/build-schema.js';
import type { HierarchyOptions, KeyStore, ReadMetrics } from '../zarr/index.js';

export type { CallerRights, LookupOutcome, OperationCost, RawResponse };

/** How long caches may use responses about a store without revalidating. */
export interface CachePolicy {
  readonly maxAgeSeconds: number;
  /** Whether shared caches may store these responses. @default false */
  readonly public?: boolean | undefined;
  /** Whether stored objects never change, so that caches need not revalidate what links return. @default false */
  readonly immutable?: boolean | undefined;
}

/** Limits of all generated schemas. */
export interface TypedSchemaLimits {
  /** Maximum number of arrays and groups with fields. @default 2,500 */
  readonly maxSchemaFields?: number | undefined;
  /** Memory for schemas, in bytes. @default 64 MiB */
  readonly schemaCacheBytes?: number | undefined;
  /** Age in milliseconds from which a schema is checked in the background. @default 10,000 */
  readonly schemaMaxAgeMs?: number | undefined;
}

/** A store, under its name in the schema. */
export interface GatewayStore {
  readonly name: string;
  readonly store: KeyStore;
  /** Description of the store, which clients can query. */
  readonly description?: string | undefined;
  /** Whether mutations may change the store. @default false */
  readonly writable?: boolean | undefined;
  /**
   * Time in milliseconds between two searches for the changes of others, while a store has subscribers; 0 for none. Of
   * stores without a history, the documents of the subscribed nodes are compared.
   * @default 10,000
   */
  readonly watchMs?: number | undefined;
  /** Time between two listings of all nodes, from whose names searches are answered; 0 for none. @default 0 */
  readonly searchIndexMs?: number | undefined;
  /** Identifies the store among replicas, which share these names. @default its name */
  readonly identity?: string | undefined;
  /** @default caches revalidate every response by its ETag, and responses to links after 60 s */
  readonly cacheControl?: CachePolicy | undefined;
  /** See `MetadataOptions.netcdfShuffle`. @default true for arrays that libnetcdf wrote, else false */
  readonly netcdfShuffle?: boolean | undefined;
  /** See `HierarchyOptions.trustConsolidated`. @default false */
  readonly trustConsolidated?: boolean | undefined;
  /** The schema that is generated from the store. @default enabled, with derived names */
  readonly typedSchema?: TypedSchemaOptions | undefined;
  /** See `HierarchyOptions.paths`. @default none */
  readonly paths?: readonly string[] | undefined;
}

/** Logger for messages that clients must not see; compatible with pino. */
export interface GatewayLogger {
  error(fields: object, message: string): void;
  /** @default warnings are dropped */
  warn?(fields: object, message: string): void;
  /** @default not logged */
  info?(fields: object, message: string): void;
}

/** A log entry of an error: location and cause. */
export interface OperationFailure {
  readonly code: string;
  /** The field in the response. */
  readonly field?: string;
  readonly store?: string;
  /** The node's path within the store. */
  readonly path?: string;
  /** The stored object. */
  readonly key?: string;
  /** The cause, for errors that are not the client's. */
  readonly message?: string;
  /** Messages of the underlying errors, outermost first. */
  readonly causes?: readonly string[];
}

/** One executed operation. */
export interface OperationRecord {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The operation's name in its document. */
  readonly name: string | undefined;
  /** Execution time in milliseconds, without the time to write the response. */
  readonly durationMs: number;
  /** Time before the execution, to parse and validate the document and to compute its cost, in milliseconds. */
  readonly planMs?: number | undefined;
  /** `extensions.code` of its errors; empty for a success. */
  readonly codes: readonly string[];
  /** The first few of its errors, for the log. */
  readonly failures?: readonly OperationFailure[] | undefined;
  /** The planned cost of its fields and slices. */
  readonly cost?: OperationCost | undefined;
}

/** `changed`: the response is remembered, but stores or rights have changed. */
export type AnswerOutcome = 'hit' | 'miss' | 'changed';

export interface GatewayMetrics extends ReadMetrics {
  operation?(record: OperationRecord): void;
  /** Called for each lookup in the result cache. */
  resultLookup?(outcome: LookupOutcome): void;
  /** Called for each request whose response could be remembered. */
  answerLookup?(outcome: AnswerOutcome): void;
}

export interface GraphiqlOptions {
  readonly title?: string | undefined;
  /** Query that the page shows first, unless its URL contains one. */
  readonly defaultQuery?: string | undefined;
  /** Address of the explorer, to which the page links. @default no link */
  readonly explorer?: string | undefined;
}

/** Links to files, pictures and map tiles of slices. */
export interface HrefOptions {
  /**
   * Secrets. The first secret signs links, and all secrets verify them. To rotate keys, insert a new secret
   * at the front. Processes behind one address must have the same keys.
   * @default a random key for each process
   */
  readonly keys?: readonly string[] | undefined;
  /** Lifetime of a link in milliseconds. @default 3,600,000 */
  readonly lifetimeMs?: number | undefined;
  /** Prefix of links: the gateway's public URL. @default none: links are relative to the origin */
  readonly publicUrl?: string | undefined;
}

export interface GatewayConfig {
  /** Stores with unique names. The gateway owns the stores: closing it closes them. */
  readonly stores: readonly GatewayStore[];
  /** Limits of one request. @default the defaults of the configuration */
  readonly limits?: Partial<GatewayLimits> | undefined;
  readonly logger?: GatewayLogger | undefined;
  /** GraphiQL for browsers that open the endpoint. Works offline. @default false */
  readonly graphiql?: false | GraphiqlOptions | undefined;
  /** Whether clients may query the schema. If not, messages suggest no names either. @default true */
  readonly introspection?: boolean | undefined;
  /**
   * Serves the schema as a subgraph of Apollo Federation 2, with `_entities` and `_service`. With a prefix, types have
   * other names than the SDK and the explorer use. @default false
   */
  readonly federation?: false | SubgraphOptions | undefined;
  /** Links to files and map tiles. `fetch` serves them at `files/` and `tiles/` next to the endpoint. */
  readonly hrefs?: HrefOptions | undefined;
  /** Path of the endpoint within the URLs given to `fetch`. @default '/graphql' */
  readonly path?: string | undefined;
  readonly metrics?: GatewayMetrics | undefined;
  /** Documents that clients refer to by id or hash. */
  readonly persistedDocuments?: PersistedDocumentsOptions | undefined;
  /** Codecs, decoder and chunk cache. @default the engine's */
  readonly engine?: Omit<HierarchyOptions, 'limits' | 'metrics' | 'changed'> | undefined;
  /**
   * Delivers changes to subscribers. Gateways with the same stores must share one change bus. A gateway closes
   * its bus when it is closed.
   * @default a bus for this process
   */
  readonly changeBus?: ChangeBus | undefined;
  /** What the gateway shares with its replicas, instead of a `changeBus`. @default nothing */
  readonly replicas?: Replicas | undefined;
  /** The memory budget of all requests together. @default see docs/operations.md */
  readonly memory?: MemoryBudget | undefined;
  /**
   * Memory, in bytes, for results of computations, pictures, map tiles and repeated slices; 0 disables the cache.
   * @default the default of the configuration
   */
  readonly resultCacheBytes?: number | undefined;
  /** Memory, in bytes, for labels of coordinates, and as much for parsed documents. @default 32 MiB */
  readonly labelCacheBytes?: number | undefined;
  /** Maximum number of operations in a batch; 0 rejects batches. @default the default of the configuration */
  readonly maxBatchOperations?: number | undefined;
  /** Limits of the schemas that are generated from stores. */
  readonly typedSchemas?: TypedSchemaLimits | undefined;
  /** Maximum number of concurrent subscriptions of one client. @default the default of the configuration */
  readonly maxClientSubscriptions?: number | undefined;
  /** Long jobs, which callers with the right to start them run in this process. @default false */
  readonly jobs?: false | JobsOptions | undefined;
}

/** Limits of the jobs of a gateway. */
export interface JobsOptions extends Pick<
  JobServiceOptions,
  'maxRunning' | 'maxQueued' | 'maxRemembered' | 'memoryBytes' | 'tracer' | 'shared' | 'records'
> {
  /** Divides the tasks among processes. @default all run in this process */
  readonly queue?: JobQueueLike | undefined;
}

export type { JobTracer } from '../jobs/tracer.js';

/** A queue of tasks that several processes share; see `server/jobs/queue/job-queue.ts`. */
export interface JobQueueLike {
  readonly run: NonNullable<JobServiceOptions['run']>;
  work(stores: JobStores): void;
  close(): Promise<void>;
}

/** A request from within the process. */
export interface ExecuteRequest {
  /** Parsed and validated once: texts and document objects are cached. */
  readonly document: string | DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Required if the document has several operations. */
  readonly operationName?: string | undefined;
  /** Aborting it stops the reads. */
  readonly signal?: AbortSignal | undefined;
}

/** The caller of a request: permissions, and information that the request itself does not contain. */
export interface CallerOptions extends CallerRights, CallerNotes {}

/** Information about a caller, in addition to the permissions. */
export interface CallerNotes {
  /** Whether all callers have the same permissions, so that shared caches may keep the response. @default false */
  readonly shared?: boolean | undefined;
  /** The memory of the request; the caller ends it. @default memory that the gateway opens and ends */
  readonly memory?: RequestMemory | undefined;
  /**
   * Opens memory for values, which the caller reuses once the response has been sent. Set it only if the response is
   * sent and not used otherwise.
   * @default new memory
   */
  readonly loans?: (() => ResultLoans) | undefined;
  /** Identifies the client. @default all requests without an identifier count as one client */
  readonly client?: string | undefined;
  /** Called when the request's operation has been executed. */
  readonly observe?: ((record: OperationRecord) => void) | undefined;
  /** Called with the cost of work that is not part of an operation: reading a store for its schema, objects of a store. */
  readonly charge?: ((cost: OperationCost) => void) | undefined;
  /**
   * Admits a further operation of a batch, like a separate request. An operation that is not admitted fails with the
   * given error.
   * @default all operations of a batch are admitted, and `observe` receives their records
   */
  readonly admitFurther?: (() => Promise<Pick<CallerNotes, 'observe'> | OperationRefusal>) | undefined;
}

/** An error in place of the result of an operation that is not admitted. */
export interface OperationRefusal {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A request for GraphiQL's page. */
export interface PageRequest {
  /** The store whose generated schema the page is for. @default the generic schema */
  readonly store?: string | undefined;
  /** The query of the URL, without the question mark. */
  readonly query: string;
  readonly ifNoneMatch: string | undefined;
}

/** A request for the SDL of a generated schema. */
export interface SchemaRequest {
  readonly store: string;
  readonly ifNoneMatch: string | undefined;
}

/** A request for the file of a link. */
export interface FileRequest {
  readonly method: string;
  /** The path segment after `files/`. */
  readonly token: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Called before the values of the slice are read, with the number of bytes that the plan decodes or writes. */
  readonly charge?: ((plannedBytes: number) => void) | undefined;
  /** Called with the error if serving the file fails; not for refusals, such as of an expired link. */
  readonly observeFailure?: ((failure: OperationFailure) => void) | undefined;
  /** See `CallerNotes.memory`. */
  readonly memory?: RequestMemory | undefined;
  /** Aborting it stops the reads. */
  readonly signal: AbortSignal;
}

/** A request for map tiles, or for their description. */
export interface TileRequest extends FileRequest {
  /** The path segment after `tiles/`. */
  readonly token: string;
  /** The path after the token: `tile.json`, or `3/4/2.png`. */
  readonly path: string;
  /** Prefix of the tile URLs in the TileJSON if `publicUrl` is not set. */
  readonly origin?: string | undefined;
}

/** A request for an object of a Zarr store. */
export interface ZarrRequest extends Omit<FileRequest, 'token' | 'charge'> {
  /** The path after `zarr/`, percent-encoded: `STORE/KEY`, or `~TOKEN/KEY` of a signed prefix, which needs no rights. */
  readonly path: string;
  /** The query of the URL, without the question mark; `at=` selects a version of the store. */
  readonly query: string;
}

/** A gateway bound to one caller. */
export interface GatewayOfCaller {
  fetch(request: Request): Promise<Response>;
  execute(request: ExecuteRequest): Promise<ExecutionResult>;
  /** The same for the schema that is generated from a store. */
  forStore(name: string): StoreEndpoint;
}

/** The schema of one store, bound to one caller. */
export interface StoreEndpoint {
  /** Serves GraphQL over HTTP for this schema, regardless of the path of the request. */
  fetch(request: Request): Promise<Response>;
  /** Never rejects: failures are in `errors`. */
  execute(request: ExecuteRequest): Promise<ExecutionResult>;
  /** @throws NotFoundError for a store that does not exist or has no schema; errors from reading its metadata */
  schema(): Promise<GraphQLSchema>;
  /**
   * The SDL of the schema.
   * @param options `hints` adds sizes, chunks and the first and last labels to the descriptions. @default false
   * @throws errors from `schema`
   */
  sdl(options?: { readonly hints?: boolean | undefined }): Promise<string>;
}

/** A request to the GraphQL endpoint, as plain data. */
export interface OperationHttpRequest {
  /** The store whose generated schema the operation is for. @default the generic schema */
  readonly store?: string | undefined;
  readonly method: 'GET' | 'POST';
  /** The query of the URL, without the question mark. */
  readonly query: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer> | null;
  /** Aborting it stops the reads. */
  readonly signal: AbortSignal;
}

/** An operation of a protocol that exchanges messages, such as graphql-ws. */
export interface MessageRequest {
  /** See `OperationHttpRequest.store`. */
  readonly store?: string | undefined;
  /** The parameters of GraphQL over HTTP: `query` or `documentId`, `variables`, `operationName`, `extensions`. */
  readonly parameters: unknown;
  /** Aborting it stops the reads. */
  readonly signal: AbortSignal;
  /**
   * Whether the parts of an operation with `@defer` or `@stream` are separate results.
   * @default false: it has one result
   */
  readonly inParts?: boolean | undefined;
}

/** A result of an operation, or a part of one. */
export interface ResultMessage {
  /** The errors as JSON if nothing was executed; undefined for any other result. */
  readonly failure: string | undefined;
  /** The result as JSON between two texts: buffers if it takes one turn of the event loop, else a stream. */
  write(before: string, after: string): Promise<readonly Uint8Array[] | ReadableStream<Uint8Array>>;
}

/** The results of an operation. Unlike a generator, they can be ended while a result is awaited. */
export interface ResultMessages extends AsyncIterator<ResultMessage, undefined> {
  /** See `RawResponse.lasts`. */
  readonly lasts: NonNullable<RawResponse['lasts']>;
  return(): Promise<IteratorResult<ResultMessage, undefined>>;
}

/** What a running gateway can change. */
export type GatewaySettings = Pick<GatewayConfig, 'limits' | 'hrefs' | 'maxClientSubscriptions'>;

export interface Gateway {
  readonly schema: GraphQLSchema;
  /** The memory budget. The HTTP server opens the memory of each request. */
  readonly memory: MemoryBudget;
  /** The subset of `Request` that `fetch` requires; accepts the global class. */
  readonly Request: typeof Request;
  /**
   * Serves GraphQL over HTTP, GraphiQL, files and tiles of links, and Zarr stores, by the request's path. The HTTP server must limit
   * the body's size, check the host and handle CORS. Aborting the request's signal stops its reads. Do not modify or
   * transfer the memory of the response's body, because later responses may share it.
   * @param caller the caller's rights: `fullAccess` for everything. Links require no rights
   */
  fetch(request: Request, caller: CallerOptions): Promise<Response>;
  /** Serves only GraphQL, for servers with custom routes. Rejects if the signal fires. */
  handleOperation(request: OperationHttpRequest, caller: CallerOptions): Promise<RawResponse>;
  /**
   * Runs an operation of a protocol that exchanges messages, such as graphql-ws. Returns one result for a query or
   * mutation (or its parts, if they are requested), and the results of a subscription as they occur. Never rejects.
   * Request the next result when the previous one has been sent, and call `return` to end a subscription.
   */
  handleMessage(request: MessageRequest, caller: CallerOptions): Promise<ResultMessages>;
  /**
   * Serves only the GraphiQL page, with the stores that the caller may read.
   * @returns undefined if the option `graphiql` is false
   */
  handlePage(request: PageRequest, caller: CallerOptions): Promise<RawResponse> | undefined;
  /** Serves only the SDL of a store's generated schema. */
  handleSchema(request: SchemaRequest, caller: CallerOptions): Promise<RawResponse>;
  /** Serves only files behind links. A link requires no further permission. Cannot reach GraphQL. */
  handleFile(request: FileRequest): Promise<RawResponse>;
  /** Serves only map tiles. A link requires no further permission. Cannot reach GraphQL. */
  handleTile(request: TileRequest): Promise<RawResponse>;
  /** Serves only the objects of Zarr stores. Cannot reach GraphQL. */
  handleZarr(request: ZarrRequest, caller: CallerOptions): Promise<RawResponse>;
  /**
   * Executes an operation without HTTP. Never rejects: failures are in `errors`. In `data`, NDArray values
   * are `NDArrayValue`s and the data of a Base64Array is a `Base64Text`; `JSON.stringify` turns both into
   * what a client would receive.
   */
  execute(request: ExecuteRequest, caller: CallerRights): Promise<ExecutionResult>;
  /** Returns `fetch` and `execute` for one caller, such as an SDK client in the same process. */
  as(caller: CallerOptions): GatewayOfCaller;
  /**
   * Serves a further store from the next request on. Its permissions, schema and limits are as if it had been configured.
   * @throws InputError if a store has this name
   */
  addStore(store: GatewayStore): void;
  /**
   * Stops serving a store from the next request on, and ends its subscriptions with NOT_FOUND. Requests in flight
   * finish.
   * @returns the store, which the caller closes; undefined if no store has this name
   */
  removeStore(name: string): GatewayStore | undefined;
  /**
   * Changes limits and the keys of links from the next request on. Without `maxClientSubscriptions`, it stays. Without keys, the present ones stay.
   * @throws ConfigError naming every invalid limit; InputError if a key is too short
   */
  change(settings: GatewaySettings): void;
  /** Ends all subscriptions, and rejects new ones. Call it before you close the server. */
  endStreams(): void;
  /** Closes the stores. Requests in flight fail. */
  close(): Promise<void>;
}

/** Standard permissions, for programs that embed a gateway. */
export { fullAccess, noAccess } from '../resolvers/access/caller-rights.js';
