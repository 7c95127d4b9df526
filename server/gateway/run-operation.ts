/** The one way in which queries and mutations are executed, whoever asks: within bounds, recorded, with their cost on demand. */
import { execute, type ExecutionArgs, type ExecutionResult, getOperationAST, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { NotReadError, type OperationCost } from '../resolvers/budget.js';
import type { GatewayContext } from '../resolvers/context.js';
import { InputError } from '../zarr/index.js';
import { chargeOperation, costRequestOf } from './cost.js';
import type { ListBounds } from './complexity.js';
import type { RecordOperation } from './operation-records.js';
import type { CallerNotes } from './options.js';

/** What is known of an operation beside its context: over HTTP, the parameters of its request. */
export type OperationContext = GatewayContext &
  CallerNotes & { readonly params?: { readonly extensions?: unknown } };

export interface OperationArgs extends Pick<
  ExecutionArgs,
  'schema' | 'document' | 'operationName' | 'variableValues' | 'rootValue'
> {
  readonly contextValue: OperationContext;
}

/** @throws LimitError, InputError, BusyError for an operation that is not begun; what fails later is in the result */
export type RunOperation = (args: OperationArgs) => Promise<ExecutionResult>;

export function createOperationRunner(bounds: ListBounds, record: RecordOperation): RunOperation {
  return async (args) => {
    const { contextValue: context } = args;
    chargeOperation(args, bounds);
    const asked = costRequestOf(context.params?.extensions);
    if (asked === 'only') assertNothingChanges(args);
    const start = performance.now();
    const granted = context.budget.reserveFields(context.signal);
    if (granted !== undefined) await granted;
    const executed = await execute(args);
    assertNotRefused(args);
    const result = asked === undefined ? executed : withCost(executed, context.budget.spent());
    record(args, context, start, result);
    return result;
  };
}

/** Has the server run operations this way. */
export function useOperationRunner(run: RunOperation): Plugin<OperationContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn((args: ExecutionArgs) => run({ ...args, contextValue }));
    },
  };
}

function assertNothingChanges({ document, operationName }: OperationArgs): void {
  if (getOperationAST(document, operationName)?.operation === 'mutation')
    throw new InputError('the cost of a mutation is not known before it is run; leave out "extensions.cost"');
}

/**
 * A query that was refused memory has no answer: parts of it would look like all there is. Of a mutation, what it changed
 * before that has to be told.
 * @throws BusyError
 */
function assertNotRefused({ document, operationName, contextValue: { memory } }: OperationArgs): void {
  if (memory.refusal === undefined) return;
  if (getOperationAST(document, operationName)?.operation !== 'mutation') throw memory.refusal;
}

function withCost(result: ExecutionResult, cost: OperationCost): ExecutionResult {
  const { errors, extensions, ...rest } = result;
  const left = errors?.filter((error) => !isNotRead(error)) ?? [];
  return { ...rest, ...(left.length === 0 ? {} : { errors: left }), extensions: { ...extensions, cost } };
}

function isNotRead(error: unknown): boolean {
  let cause = error;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause instanceof NotReadError;
}
