/** Execute step for queries and mutations. The cost has been charged before. */
import { execute, type ExecutionResult, OperationTypeNode } from 'graphql';
import type { GatewayContext } from '../../resolvers/context.js';
import { withCost } from './cost.js';
import type { Operation } from './operation.js';
import type { Recorded, RecordOperation } from './record.js';

/**
 * @returns the result with its errors as they were thrown
 * @throws BusyError, AbortedError if the operation did not start, or if memory was denied to a query
 */
export async function executeOperation(
  operation: Operation,
  context: GatewayContext,
  observe: Recorded['observe'],
  record: RecordOperation,
): Promise<ExecutionResult> {
  const { budget, memory, signal } = context;
  const start = performance.now();
  const granted = budget.reserveFields(signal);
  if (granted !== undefined) await granted;
  const executed = await execute({ ...argumentsOf(operation), contextValue: context });
  // A partial result would look complete. Mutations are exempt, because their result reports completed
  // changes.
  if (memory.refusal !== undefined && operation.definition.operation !== OperationTypeNode.MUTATION)
    throw memory.refusal;
  const result = operation.cost === undefined ? executed : withCost(executed, budget.spent());
  record(operation.definition, { observe, budget }, start, result);
  return result;
}

/** The arguments of graphql's functions. */
export function argumentsOf({ schema, document, definition, variables }: Operation): {
  readonly schema: Operation['schema'];
  readonly document: Operation['document'];
  readonly operationName: string | undefined;
  readonly variableValues: Operation['variables'];
} {
  return { schema, document, operationName: definition.name?.value, variableValues: variables };
}
