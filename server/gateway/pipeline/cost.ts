/**
 * Cost: checks the upper bound before an operation runs, and adds the actual cost to the result on request.
 */
import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { NotReadError, type OperationCost } from '../../resolvers/budget.js';
import type { GatewayContext } from '../../resolvers/context.js';
import { InputError } from '../../zarr/index.js';
import { badRequest } from './bad-request.js';
import { complexityOf, type ListBounds } from './complexity.js';
import type { CostRequest, Operation } from './operation.js';

/** @throws GraphQLError for any other value of `extensions.cost` */
export function costRequestOf(extensions: Readonly<Record<string, unknown>>): CostRequest {
  const given = extensions['cost'];
  if (given === undefined || given === null || given === false) return undefined;
  if (given === true || given === 'only') return given;
  throw badRequest('"extensions.cost" must be true (to add the cost to the result) or "only"');
}

/** @throws LimitError if the response could have too many fields; InputError for the cost of a mutation alone */
export function chargeOperation(operation: Operation, context: GatewayContext, bounds: ListBounds): void {
  if (operation.cost === 'only' && operation.definition.operation === OperationTypeNode.MUTATION)
    throw new InputError('the cost of a mutation cannot be computed before it runs; omit "extensions.cost"');
  context.budget.chargeFields(complexityOf(operation, bounds));
}

/** Adds the cost to a result. Removes the errors of values that were not read because only the cost was requested. */
export function withCost(result: ExecutionResult, cost: OperationCost): ExecutionResult {
  const { errors, extensions, ...rest } = result;
  const left = errors?.filter((error) => !isNotRead(error)) ?? [];
  return { ...rest, ...(left.length === 0 ? {} : { errors: left }), extensions: { ...extensions, cost } };
}

function isNotRead(error: unknown): boolean {
  let cause = error;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause instanceof NotReadError;
}
