/** What is said of an operation when it has been executed: to counters, and to whoever sent it. */
import { type ExecutionArgs, type ExecutionResult, getOperationAST, type GraphQLError } from 'graphql';
import type { GatewayContext } from '../resolvers/context.js';
import { failureOf, maxFailures } from './failures.js';
import type { CallerNotes, GatewayMetrics, OperationRecord } from './options.js';

/** @param startMs by performance.now() */
export type RecordOperation = (
  args: Pick<ExecutionArgs, 'document' | 'operationName'>,
  context: CallerNotes & GatewayContext,
  startMs: number,
  result: Pick<ExecutionResult, 'errors'>,
) => void;

export function createOperationRecorder(
  metrics: Pick<GatewayMetrics, 'operation'>,
  show: (error: unknown) => GraphQLError,
): RecordOperation {
  return ({ document, operationName }, context, startMs, { errors = [] }) => {
    const { observe } = context;
    if (observe === undefined && metrics.operation === undefined) return;
    const operation = getOperationAST(document, operationName);
    const failures = errors.slice(0, maxFailures).map((error) => failureOf(error, show(error)));
    const record: OperationRecord = {
      kind: operation?.operation ?? 'query',
      name: operation?.name?.value,
      durationMs: performance.now() - startMs,
      cost: context.budget.spent(),
      codes: errors.map((error) => String(show(error).extensions['code'])),
      ...(failures.length === 0 ? {} : { failures }),
    };
    metrics.operation?.(record);
    observe?.(record);
  };
}
