/** Operations from within the process: what the server does between reading a request and writing its response. */
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import type { RequestOptions } from '../resolvers/context.js';
import { InputError } from '../zarr/index.js';
import type { ExecuteRequest } from './options.js';

/** The server's own steps, for one request: with its caches, plugins and context. */
export interface ExecutionSteps {
  parse(text: string): DocumentNode;
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[];
  contextFactory(): unknown;
  execute(args: ExecutionArgs): Promise<ExecutionResult> | ExecutionResult;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  stepsFor(options: RequestOptions): ExecutionSteps;
  show(error: unknown): GraphQLError;
}

export async function executeRequest(executor: Executor, request: ExecuteRequest): Promise<ExecutionResult> {
  const { schema } = executor;
  const { document, variables, operationName, signal, mayRead, mayEnter, mayWrite } = request;
  try {
    const steps = executor.stepsFor({ signal, mayRead, mayEnter, mayWrite });
    const parsed = typeof document === 'string' ? steps.parse(document) : document;
    const errors = steps.validate(schema, parsed);
    if (errors.length > 0) return { errors: errors.map((error) => executor.show(error)) };
    if (getOperationAST(parsed, operationName) === null) throw noOperation(operationName);
    if (getOperationAST(parsed, operationName)?.operation === 'subscription')
      throw new InputError('subscriptions are answered over HTTP only, as server-sent events');
    const contextValue = await steps.contextFactory();
    return await steps.execute({
      schema,
      document: parsed,
      contextValue,
      ...(variables === undefined ? {} : { variableValues: variables }),
      ...(operationName === undefined ? {} : { operationName }),
    });
  } catch (error) {
    return { errors: [executor.show(error)] };
  }
}

function noOperation(name: string | undefined): InputError {
  const message =
    name === undefined ? 'the document has several operations (or none)' : `no operation "${name}"`;
  return new InputError(`${message}; name one of the document's in "operationName"`);
}
