/** Execute step: runs queries and mutations whose cost has been charged, and records executed operations. */
import {
  type DocumentNode,
  executeRootSelectionSet,
  type ExecutionResult,
  OperationTypeNode,
  validateExecutionArgs,
  visit,
} from 'graphql';
import type { GatewayContext } from '../../resolvers/context.js';
import { withCost } from './cost.js';
import type { RequestedOperation } from './choose-operation.js';
import type { Recorded, RecordOperation } from './record-operations.js';

/**
 * @returns the result with its errors as they were thrown
 * @throws BusyError, AbortedError if the operation did not start, or if memory was denied to a query
 */
export async function executeOperation(
  operation: RequestedOperation,
  context: GatewayContext,
  observe: Recorded['observe'],
  record: RecordOperation,
): Promise<ExecutionResult> {
  const { budget, memory, signal } = context;
  const start = performance.now();
  const granted = budget.reserveFields(signal);
  if (granted !== undefined) await granted;
  const executed = await executeAndCommit(operation, context);
  // A partial result would look complete. Mutations are exempt, because their result reports completed
  // changes.
  if (memory.refusal !== undefined && operation.definition.operation !== OperationTypeNode.MUTATION)
    throw memory.refusal;
  const result = operation.cost === undefined ? executed : withCost(executed, budget.spent());
  record(operation.definition, { observe, budget }, start, result);
  return result;
}

/** Changes of stores that keep their history are committed before the response. */
async function executeAndCommit(
  operation: RequestedOperation,
  context: GatewayContext,
): Promise<ExecutionResult> {
  const { commits, gateway, signal } = context;
  try {
    const result = await commits.end(await executeWhole(operation, context), signal);
    // Caches of other replicas must not return the state before a change that is acknowledged.
    if (operation.definition.operation === OperationTypeNode.MUTATION) await gateway.changes.settled();
    return result;
  } finally {
    await commits.discard();
  }
}

/** Executes an operation as if it had no `@defer` and `@stream`: `execute` rejects schemas that have them. */
export function executeWhole(
  { schema, known, operationName, variableValues }: RequestedOperation,
  contextValue: GatewayContext,
  rootValue?: object,
): ExecutionResult | Promise<ExecutionResult> {
  known.whole ??= wholeDocument(known.document);
  const args = { schema, document: known.whole, operationName, variableValues, contextValue, rootValue };
  const validated = validateExecutionArgs(args);
  return 'schema' in validated ? executeRootSelectionSet(validated) : { errors: validated };
}

function wholeDocument(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined),
  });
}
