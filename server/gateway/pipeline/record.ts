/** Records executed operations, for metrics and the log. */
import type { ExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { RequestBudget } from '../../resolvers/budget.js';
import type { GatewayMetrics, OperationRecord } from '../options.js';
import { failureOf, MAX_FAILURES } from './failures.js';

/** Receives the record in addition to the metrics, with the operation's cost. */
export interface Recorded {
  readonly observe: ((record: OperationRecord) => void) | undefined;
  readonly budget: RequestBudget;
}

/** @param startMs start time from `performance.now()` */
export type RecordOperation = (
  operation: OperationDefinitionNode,
  recorded: Recorded,
  startMs: number,
  result: Pick<ExecutionResult, 'errors'>,
) => void;

/** @param show converts an error to the form that clients may see */
export function createOperationRecorder(
  metrics: Pick<GatewayMetrics, 'operation'>,
  show: (error: unknown) => GraphQLError,
): RecordOperation {
  return ({ operation: kind, name }, { observe, budget }, startMs, { errors = [] }) => {
    if (observe === undefined && metrics.operation === undefined) return;
    const failures = errors.slice(0, MAX_FAILURES).map((error) => failureOf(error, show(error)));
    const record: OperationRecord = {
      kind,
      name: name?.value,
      durationMs: performance.now() - startMs,
      cost: budget.spent(),
      codes: errors.map((error) => String(show(error).extensions['code'])),
      ...(failures.length === 0 ? {} : { failures }),
    };
    metrics.operation?.(record);
    observe?.(record);
  };
}
