/** What an operation costs: bounded before it runs, told on demand, and counted for those who ration clients. */
import type { Plugin } from 'graphql-yoga';
import type { ReadCost } from '../resolvers/budget.js';
import type { GatewayContext } from '../resolvers/context.js';
import { LimitError } from '../zarr/index.js';
import { badRequest } from './bad-request.js';
import { complexityOf, type ListBounds, type PricedOperation } from './complexity.js';

/** Of one operation. */
export interface OperationCost extends ReadCost {
  /** Fields that the answer may have, by the document and its variables. */
  readonly fields: number;
}

export interface CostBounds extends ListBounds {
  readonly maxComplexity: number;
}

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

/** Fields of each operation under way, by its context. */
const complexities = new WeakMap<object, number>();

/** What an operation has cost so far. */
export function costOf(context: GatewayContext): OperationCost {
  return { fields: complexities.get(context) ?? 0, ...context.budget.spent() };
}

/** Bounds the subscriptions; operations that end are bounded where they are run. */
export function useSubscriptionCost(bounds: CostBounds): Plugin {
  return {
    onSubscribe({ args }) {
      assertAffordable(args, bounds);
    },
  };
}

/**
 * Remembers what the operation may answer, for its cost.
 * @throws LimitError where its answer could have too many fields
 */
export function assertAffordable(
  operation: PricedOperation & { readonly contextValue?: unknown },
  bounds: CostBounds,
): void {
  const { maxComplexity } = bounds;
  const fields = complexityOf(operation, bounds);
  const { contextValue: context } = operation;
  if (typeof context === 'object' && context !== null) complexities.set(context, fields);
  if (fields <= maxComplexity) return;
  throw new LimitError(
    `the answer could have ${fields} fields; maxComplexity allows ${maxComplexity}: ask for fewer in each list ("first"), for fewer fields, or in several requests`,
    { excess: [{ limit: 'maxComplexity', allowed: maxComplexity, needed: fields }] },
  );
}
