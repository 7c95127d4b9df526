/** Operations from within the process: what the server does between reading a request and writing its response. */
import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { type CallerRights, rightsOf } from '../resolvers/caller-rights.js';
import type { RequestOptions } from '../resolvers/context.js';
import { InputError } from '../zarr/index.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import type { CallerNotes, ExecuteRequest } from './options.js';
import type { OperationContext, RunOperation } from './run-operation.js';

/** The server's own steps before a document is executed, with its caches and plugins. */
export interface DocumentChecks {
  parse(text: string): DocumentNode;
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[];
}

export interface Executor {
  readonly schema: GraphQLSchema;
  readonly run: RunOperation;
  readonly checksFor: (options: RequestOptions) => DocumentChecks;
  readonly contextFor: (options: OperationOptions) => OperationContext;
  readonly show: (error: unknown) => GraphQLError;
  readonly memory: ProcessMemory;
}

/** What belongs to one operation beside its document. */
export type OperationOptions = RequestOptions & Pick<CallerNotes, 'observe'>;

/** The client that requests from within the process are one of. */
export const IN_PROCESS = 'process';

export async function executeRequest(
  executor: Executor,
  request: ExecuteRequest,
  caller: CallerRights,
): Promise<ExecutionResult> {
  const { schema } = executor;
  const { document, variables, operationName, signal } = request;
  // What is returned is the caller's own.
  const memory = executor.memory.open(IN_PROCESS);
  try {
    const options = { signal, rights: rightsOf(caller), memory };
    const checks = executor.checksFor(options);
    const parsed = typeof document === 'string' ? checks.parse(document) : document;
    const errors = checks.validate(schema, parsed);
    if (errors.length > 0) return { errors: errors.map((error) => executor.show(error)) };
    if (getOperationAST(parsed, operationName) === null) throw noOperation(operationName);
    if (getOperationAST(parsed, operationName)?.operation === 'subscription')
      throw new InputError('subscriptions are answered over HTTP only, as server-sent events');
    return await executeOperation(executor, options, { document: parsed, variables, operationName });
  } catch (error) {
    return { errors: [executor.show(error)] };
  } finally {
    memory.end();
  }
}

/** A valid document with what belongs to it. */
export interface Operation {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/** @throws what keeps the operation from being begun */
export async function executeOperation(
  { schema, run, contextFor, show }: Executor,
  options: OperationOptions,
  { document, variables, operationName }: Operation,
): Promise<ExecutionResult> {
  const result = await run({
    schema,
    document,
    contextValue: contextFor(options),
    variableValues: variables,
    operationName,
  });
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(show) };
}

function noOperation(name: string | undefined): InputError {
  const message =
    name === undefined ? 'the document has several operations (or none)' : `no operation "${name}"`;
  return new InputError(`${message}; name one of the document's in "operationName"`);
}
