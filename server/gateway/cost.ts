/** What an operation costs: bounded before it runs, told on demand, and counted for those who ration clients. */
import type { Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../resolvers/context.js';
import { badRequest } from './bad-request.js';
import { complexityOf, type ListBounds, type PricedOperation } from './complexity.js';

/** How a request asks for its cost, in `extensions.cost`: beside its answer, or without reading any values. */
export type CostRequest = true | 'only' | undefined;

/** @throws GraphQLError for anything else */
export function costRequestOf(extensions: unknown): CostRequest {
  const given: unknown =
    typeof extensions === 'object' && extensions !== null ? Reflect.get(extensions, 'cost') : undefined;
  if (given === undefined || given === null || given === false) return undefined;
  if (given === true || given === 'only') return given;
  throw badRequest('"extensions.cost" is true, for the cost beside the answer, or "only"');
}

/** An operation that is going to run, with its context. */
export interface CostedOperation extends PricedOperation {
  readonly contextValue: Pick<GatewayContext, 'budget'>;
}

/** @throws LimitError where its answer could have too many fields */
export function chargeOperation(operation: CostedOperation, bounds: ListBounds): void {
  operation.contextValue.budget.chargeFields(complexityOf(operation, bounds));
}

/** Bounds subscriptions; operations that end are bounded where they are run. */
export function useSubscriptionCost(bounds: ListBounds): Plugin<GatewayContext> {
  return {
    onSubscribe({ args }) {
      chargeOperation(args, bounds);
    },
  };
}
