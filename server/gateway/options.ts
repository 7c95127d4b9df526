/** What a gateway is made of, and what it offers. */
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Answer } from './answer.js';
import type { OperationCost } from '../resolvers/budget.js';
import type { PersistedDocumentsOptions } from './persisted-documents.js';
import type { CallerRights } from '../resolvers/caller-rights.js';
import type { ChangeBus } from '../resolvers/changes/change-bus.js';
import type { GatewayLimits } from '../resolvers/limits.js';
import type { MemoryLease } from '../memory/lease.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import type { HierarchyOptions, KeyStore, ReadMetrics } from '../zarr/index.js';

export type { Answer, CallerRights, OperationCost };

/** How long what was read of a store may be used without asking again. */
export interface CachePolicy {
  readonly maxAgeSeconds: number;
  /** Whether caches that serve many people may keep it. @default false */
  readonly public?: boolean | undefined;
}

/** A store under the name by which requests ask for it. */
export interface GatewayStore {
  readonly name: string;
  readonly store: KeyStore;
  /** Shown to clients. */
  readonly description?: string | undefined;
  /** Whether mutations may change it. @default false */
  readonly writable?: boolean | undefined;
  /** How long answers about the store may be kept; without it they are asked for again each time, by their validator. */
  readonly cacheControl?: CachePolicy | undefined;
  /** See `MetadataReading.netcdfShuffle`. @default true for arrays with an NCZarr note, else false */
  readonly netcdfShuffle?: boolean | undefined;
}

/** Where messages go that clients must not see; pino's loggers fit. */
export interface GatewayLogger {
  error(fields: object, message: string): void;
  /** @default warnings are dropped */
  warn?(fields: object, message: string): void;
}

/** One error as the log has it: where it happened and why. */
export interface OperationFailure {
  readonly code: string;
  /** The field in the response. */
  readonly field?: string;
  readonly store?: string;
  /** The node's path within the store. */
  readonly path?: string;
  /** The stored object. */
  readonly key?: string;
  /** Of errors that are not the client's: what was wrong. */
  readonly message?: string;
  /** What was beneath, outermost first. */
  readonly causes?: readonly string[];
}

/** One executed operation, for counters. */
export interface OperationRecord {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The operation's name in its document, where it has one. */
  readonly name: string | undefined;
  /** From the first field's start to the last one's end, without writing the response. */
  readonly durationMs: number;
  /** `extensions.code` of its errors; empty for a success. */
  readonly codes: readonly string[];
  /** What went wrong, for the log: the first few of its errors. */
  readonly failures?: readonly OperationFailure[] | undefined;
  /** What its fields and slices took, by their plans. */
  readonly cost?: OperationCost | undefined;
}

export interface GatewayMetrics extends ReadMetrics {
  operation?(record: OperationRecord): void;
}

export interface GraphiqlOptions {
  readonly title?: string | undefined;
  /** The first query of those who come without one of their own. */
  readonly defaultQuery?: string | undefined;
}

/** Links to the values of slices (`Slice.href`). */
export interface HrefOptions {
  /**
   * Secrets: the first signs links, every one opens them, so that a new one can be put before the old ones. Processes
   * that answer under one address need the same. Without any, each process makes one of its own.
   */
  readonly keys?: readonly string[] | undefined;
  /** How long a link may be followed. @default 3,600,000 */
  readonly lifetimeMs?: number | undefined;
  /** What links begin with: the address of the gateway for its clients. @default none: they are relative to its origin */
  readonly publicUrl?: string | undefined;
}

export interface GatewayConfig {
  /** Names are unique. The gateway owns the stores: closing it closes them. */
  readonly stores: readonly GatewayStore[];
  /** Bounds on one request; what is missing has the default of the configuration. */
  readonly limits?: Partial<GatewayLimits> | undefined;
  readonly logger?: GatewayLogger | undefined;
  /** The page for browsers that open the endpoint; false for none. Works offline. @default false */
  readonly graphiql?: false | GraphiqlOptions | undefined;
  /** Whether clients may ask for the schema; without it, messages do not hint at its names either. @default true */
  readonly introspection?: boolean | undefined;
  /** Links to files, which `fetch` serves at `files/` beside the endpoint. */
  readonly hrefs?: HrefOptions | undefined;
  /** Path of the endpoint within the URLs given to `fetch`. @default '/graphql' */
  readonly path?: string | undefined;
  readonly metrics?: GatewayMetrics | undefined;
  /** Documents that clients may name instead of sending them. */
  readonly persistedDocuments?: PersistedDocumentsOptions | undefined;
  /** Codecs, decoder and chunk cache instead of the engine's own. */
  readonly engine?: Omit<HierarchyOptions, 'limits' | 'metrics' | 'changed'> | undefined;
  /**
   * What carries changes to subscribers: for several gateways over the same stores, one that reaches them all. The
   * gateway owns it. @default one within this process
   */
  readonly changeBus?: ChangeBus | undefined;
  /** The memory that requests may hold together. @default by the machine, as docs/operations.md says */
  readonly memory?: ProcessMemory | undefined;
  /** Subscriptions of one client at the same time. @default that of the configuration */
  readonly maxClientSubscriptions?: number | undefined;
}

/** A request from within the process. */
export interface ExecuteRequest {
  /** Text is parsed and checked once, then remembered; so is a document that is given again. */
  readonly document: string | DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Which operation, where the document has several. */
  readonly operationName?: string | undefined;
  /** Aborting it stops the reads. */
  readonly signal?: AbortSignal | undefined;
}

/** The caller of a request over HTTP: its rights, and what else the gateway cannot see in the request. */
export interface CallerOptions extends CallerRights, CallerNotes {}

/** What the gateway is told of a caller beside its rights. */
export interface CallerNotes {
  /** Whether every other caller has the same rights, so that shared caches may keep the response. @default false */
  readonly shared?: boolean | undefined;
  /** Where the request's memory is reserved; whoever gives it ends it. @default one that the gateway opens and ends */
  readonly memory?: MemoryLease | undefined;
  /** By what clients are told apart. @default all requests without one are those of one client */
  readonly client?: string | undefined;
  /** Is told of the request's operation when it has been executed: for a log of requests. */
  readonly observe?: ((record: OperationRecord) => void) | undefined;
}

/** A request for GraphiQL's page. */
export interface PageQuery {
  /** What follows the question mark in the address. */
  readonly query: string;
  readonly ifNoneMatch: string | undefined;
}

/** A request for the file of a link. */
export interface FileRequest {
  readonly method: string;
  /** The segment of the link's path after `files/`. */
  readonly token: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Is told before anything is read how many bytes the plan decodes or writes: for budgets of clients. */
  readonly charge?: ((plannedBytes: number) => void) | undefined;
  /** Is told why there is no file: for a log of requests. */
  readonly observeFailure?: ((failure: OperationFailure) => void) | undefined;
  /** As `CallerNotes.memory`. */
  readonly memory?: MemoryLease | undefined;
  /** Aborting it stops the reads. */
  readonly signal: AbortSignal;
}

/** The gateway as one caller sees it. */
export interface GatewayOfCaller {
  fetch(request: Request): Promise<Response>;
  execute(request: ExecuteRequest): Promise<ExecutionResult>;
}

/** A request by POST to the endpoint, without parameters in its address. */
export interface PostedQuery {
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly body: Buffer<ArrayBuffer>;
  /** Aborting it stops the reads. */
  readonly signal: AbortSignal;
}

export interface Gateway {
  readonly schema: GraphQLSchema;
  /** What requests hold: a server in front opens a lease for each. */
  readonly memory: ProcessMemory;
  /** The class of requests that costs least to make for `fetch`; the global one does as well. */
  readonly Request: typeof Request;
  /**
   * GraphQL over HTTP, GraphiQL, and the files of links, by the path of the request. Does not bound the body's size, check
   * hosts or handle CORS: a server in front does. Aborting the request's signal stops its reads.
   * @param caller what the caller may do: `fullAccess` for everything. Links need no rights
   */
  fetch(request: Request, caller: CallerOptions): Promise<Response>;
  /** Only GraphQL over HTTP, for servers that choose the route themselves. */
  fetchOperation(request: Request, caller: CallerOptions): Promise<Response>;
  /**
   * Only GraphiQL's page. Nothing of a store that the caller may not read is in it.
   * @returns undefined where the option `graphiql` is false
   */
  answerPage(page: PageQuery, caller: CallerOptions): Promise<Answer> | undefined;
  /** Only the file of a link, which is a right to read by itself. Cannot reach GraphQL. */
  fetchFile(request: FileRequest): Promise<Response>;
  /**
   * What `fetch` would answer to a query that it has answered before (with other variables, perhaps), for less work;
   * undefined for every other request. Rejects where the signal fires.
   */
  answerKnown(posted: PostedQuery, caller: CallerOptions): Promise<Answer> | undefined;
  /**
   * The same without HTTP. Never rejects: what fails is in `errors`. In `data`, NDArray values are `NDArrayValue`s and
   * the data of a Base64Array is a `Base64Text`; `JSON.stringify` makes of both what a client would get.
   */
  execute(request: ExecuteRequest, caller: CallerRights): Promise<ExecutionResult>;
  /** `fetch` and `execute` for one caller: what an SDK client in the same process takes as its gateway. */
  as(caller: CallerOptions): GatewayOfCaller;
  /** Ends all subscriptions, and every later one at once: what a server calls that is about to close. */
  endStreams(): void;
  /** Closes the stores. Requests that are still under way fail. */
  close(): Promise<void>;
}
