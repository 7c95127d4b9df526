/** What an operation costs: bounded before it runs, told on demand, and counted for those who ration clients. */
import { type ExecutionArgs, type ExecutionResult, getOperationAST, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { NotReadError, type ReadCost } from '../resolvers/budget.js';
import type { GatewayContext } from '../resolvers/context.js';
import { InputError, LimitError } from '../zarr/index.js';
import { badRequest } from './bad-request.js';
import { complexityOf, type ListBounds } from './complexity.js';

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

type CostedRequest = GatewayContext & { readonly params?: { readonly extensions?: unknown } };

export function useCost(bounds: CostBounds): Plugin<CostedRequest> {
  return {
    onExecute({ args }) {
      const executed: ExecutionArgs & { readonly contextValue: CostedRequest } = args;
      const context = executed.contextValue;
      complexities.set(context, checkedComplexity(executed, bounds));
      const asked = costRequestOf(context.params?.extensions);
      if (asked === undefined) return undefined;
      if (asked === 'only') assertNothingChanges(executed);
      return {
        onExecuteDone({ result, setResult }) {
          if (!isAsyncIterable(result)) setResult(withCost(result, costOf(context)));
        },
      };
    },
    onSubscribe({ args }) {
      checkedComplexity(args, bounds);
    },
  };
}

/** @throws LimitError */
function checkedComplexity(args: ExecutionArgs, bounds: CostBounds): number {
  const { maxComplexity } = bounds;
  const fields = complexityOf(args, bounds);
  if (fields <= maxComplexity) return fields;
  throw new LimitError(
    `the answer could have ${fields} fields; maxComplexity allows ${maxComplexity}: ask for fewer in each list ("first"), for fewer fields, or in several requests`,
    { excess: [{ limit: 'maxComplexity', allowed: maxComplexity, needed: fields }] },
  );
}

function assertNothingChanges({ document, operationName }: ExecutionArgs): void {
  if (getOperationAST(document, operationName)?.operation === 'mutation')
    throw new InputError('the cost of a mutation is not known before it is run; leave out "extensions.cost"');
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
