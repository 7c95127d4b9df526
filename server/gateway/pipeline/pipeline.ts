/**
 * Every GraphQL request, however it arrives, takes these steps in this order:
 *
 *   parse     parameters.ts            parameters from a body or URL
 *   document  persisted-documents.ts   the text that a request sends or refers to
 *             documents.ts             parsed, checked against limits, validated, cached; the operation to run
 *   cost      cost.ts                  an upper bound of the response's fields, charged to the request
 *   execute   execute.ts, parts.ts     a result, or its parts
 *             subscribe.ts             the events of a subscription
 *   write     write.ts                 the HTTP response
 *
 * Over HTTP, Yoga calls them (../yoga.ts), for each operation of a batch (../batch.ts); the fast path (../fast-path.ts) and programs (../in-process.ts) call them
 * directly.
 */
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { createContext, type GatewayParts, type RequestOptions } from '../../resolvers/context.js';
import type { CallerNotes } from '../options.js';
import { createPause, InputError, nextTurn } from '../../zarr/index.js';
import type { Recording } from '../answers/recording.js';
import { isRememberable } from '../answers/rememberable.js';
import { cacheControlFor, type PolicyOf, withCacheControl } from './cache-control.js';
import { chargeOperation, costRequestOf } from './cost.js';
import type { CheckedDocument, DocumentCache } from './documents.js';
import {
  chooseOperation,
  type CostRequest,
  type OperationTransport,
  type RequestedOperation,
} from './choose-operation.js';
import { checkParameters } from './parameters.js';
import type { DocumentText, PersistedDocuments } from './persisted-documents.js';
import type { RecordOperation } from './record-operations.js';
import { executeOperation } from './execute.js';
import { executeInParts, MAX_PARTS } from './parts.js';
import { createSubscriber, type ResultStream } from './subscribe.js';

/** The parameters of a request. */
export interface OperationRequest {
  readonly document: DocumentText | DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly cost: CostRequest;
}

/** A request that contains or refers to the text of its document. */
export interface TextRequest extends OperationRequest {
  readonly document: DocumentText;
}

/** The caller of a request. */
export type CallerScope = Pick<RequestOptions, 'rights' | 'memory' | 'loans' | 'client'> &
  Pick<CallerNotes, 'observe' | 'shared' | 'admitFurther'> & {
    /** Records what the result depends on, so that the response can be remembered. @default not recorded */
    readonly recording?: Recording | undefined;
  };

/** The properties of a request other than its parameters. */
export interface RequestScope extends CallerScope {
  readonly transport: OperationTransport;
  /** Whether the client can read a result in parts. Otherwise `@defer` and `@stream` have no effect. @default false */
  readonly inParts?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Pipeline {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentCache;
  /**
   * Fetches what `resolve` needs from other replicas.
   * @returns undefined if there is nothing to wait for
   * @throws errors from `checkParameters`
   */
  prepare(parameters: unknown): Promise<void> | undefined;
  /**
   * Checks parameters and finds the text of the document.
   * @throws errors from `checkParameters` and `PersistedDocuments.find`
   */
  resolve(parameters: unknown): TextRequest;
  /**
   * Runs all steps from the document to the result. Never rejects: errors are in the result, as clients may
   * see them.
   */
  run(request: OperationRequest, scope: RequestScope): Promise<ExecutionResult | ResultStream>;
  /** A result that contains only errors, as clients may see them. */
  failure(...errors: readonly unknown[]): ExecutionResult;
}

export interface PipelineParts {
  readonly schema: GraphQLSchema;
  /** Set for a generated schema: the generic one, whose types it shares. */
  readonly generic?: GraphQLSchema | undefined;
  readonly gateway: GatewayParts;
  readonly documents: DocumentCache;
  readonly persisted: PersistedDocuments;
  /** Fields that each introspection is charged for, which the size of the schema determines. @default 0 */
  readonly introspectionFields?: number | undefined;
  readonly record: RecordOperation;
  readonly policyOf: PolicyOf;
  /** The form of an error that clients may see. */
  readonly show: (error: unknown) => GraphQLError;
}

/** Whether the operation may query the schema. True for some that do not, because names in other places count too. */
function mayIntrospect({ document }: OperationRequest): boolean {
  return 'text' in document && /__(?:schema|type)\b/.test(document.text);
}

/** The recording of a result that may be remembered. Refuses it for all others. */
function recordingOf(
  operation: RequestedOperation,
  { document }: OperationRequest,
  { recording, transport, inParts = false }: RequestScope,
  generic: GraphQLSchema | undefined,
): Recording | undefined {
  if (recording === undefined) return undefined;
  const persists = 'text' in document && document.persistAs !== undefined;
  if (isRememberable(operation, { transport, inParts, persists, generic })) return recording;
  recording.refuse();
  return undefined;
}

/**
 * Executing an introspection of a large schema takes 0.1 s without a pause. Each starts in a separate turn of the event
 * loop, so that other requests run between them, and none starts for a client that has left.
 * @throws AbortedError
 */
async function turnOfIntrospection(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  await createPause(signal)();
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const {
    schema,
    generic,
    gateway,
    documents,
    persisted,
    record,
    policyOf,
    show,
    introspectionFields = 0,
  } = parts;
  const bounds = {
    ...gateway.limits,
    introspectionFields,
    /** Stores can be added and removed. */
    get stores() {
      return gateway.stores.size;
    },
  };
  const subscribe = createSubscriber({
    renew: ({ rights, client, budget: { costOnly } }, event) =>
      createContext(gateway, { rights, client, costOnly, valuesAreSent: true, ...event }),
    record,
    show,
  });
  const failure = (...errors: readonly unknown[]): ExecutionResult => ({ errors: errors.map(show) });

  function checked(source: OperationRequest['document']): CheckedDocument | Promise<CheckedDocument> {
    if ('text' in source) return documents.check(source.text);
    const known = documents.of(source);
    return { known, errors: documents.validate(known) };
  }

  /** The document step. @returns the operation to run, or why the document is invalid */
  function findOperation(
    { document: source, operationName, variables, cost }: OperationRequest,
    { known, errors }: CheckedDocument,
    transport: OperationTransport,
  ): RequestedOperation | readonly GraphQLError[] {
    const { document } = known;
    const definition = chooseOperation(document, operationName, transport);
    if (errors.length > 0) return errors;
    if ('text' in source && source.persistAs !== undefined) persisted.persist(source.persistAs, source.text);
    return {
      schema,
      document,
      known,
      operationName: definition.name?.value,
      variableValues: variables,
      definition,
      cost,
    };
  }

  async function run(
    request: OperationRequest,
    scope: RequestScope,
  ): Promise<ExecutionResult | ResultStream> {
    const plannedFromMs = performance.now();
    try {
      const checking = checked(request.document);
      const document = checking instanceof Promise ? await checking : checking;
      const operation = findOperation(request, document, scope.transport);
      if (!('definition' in operation)) return failure(...operation);
      const { rights, signal, memory, loans, client, transport, inParts = false, shared = false } = scope;
      const recording = recordingOf(operation, request, scope, generic);
      const context = createContext(recording?.partsOf(gateway) ?? gateway, {
        rights: recording?.rightsOf(rights) ?? rights,
        signal,
        memory,
        client,
        costOnly: operation.cost === 'only',
        valuesAreSent: transport !== 'process',
        // Loans end with the response, but the memory of a stream of results ends with each of them.
        loans: operation.definition.operation === 'query' && !inParts ? loans : undefined,
        inParts,
        plannedFromMs,
      });
      const parts = chargeOperation(operation, context, bounds);
      if (mayIntrospect(request)) await turnOfIntrospection(signal);
      if (parts > 0 && transport === 'batch')
        throw new InputError('an operation of a batch must not have @defer or @stream; send it alone');
      // The parts of a mutation would follow its commit.
      const isQuery = operation.definition.operation === 'query';
      const result =
        operation.definition.operation === 'subscription'
          ? await subscribe(operation, context, scope.observe)
          : inParts && isQuery && parts > 0 && parts <= MAX_PARTS && operation.cost !== 'only'
            ? await executeInParts(operation, context, parts, { observe: scope.observe, record, show })
            : await executeOperation(operation, context, scope.observe, record);
      if (isAsyncIterable(result)) return result;
      if (result.errors !== undefined) return { ...result, errors: result.errors.map(show) };
      recording?.end(operation.definition, context.budget.spent());
      if (transport !== 'GET') return result;
      return withCacheControl(result, cacheControlFor([...context.usedStores.keys()], shared, policyOf));
    } catch (error) {
      return failure(error);
    }
  }

  return {
    schema,
    documents,
    prepare: (received) => persisted.fetch(checkParameters(received)),
    resolve(received) {
      const parameters = checkParameters(received);
      const { operationName, variables, extensions } = parameters;
      const document = persisted.find(parameters);
      return {
        document,
        operationName,
        variables,
        cost: extensions['cost'] === undefined ? undefined : costRequestOf(extensions),
      };
    },
    run,
    failure,
  };
}
