/**
 * Records operations, for metrics and the log. The log has more detail than the response, but shows a location
 * instead of the client's text.
 */
import { type ExecutionResult, GraphQLError, type OperationDefinitionNode } from 'graphql';
import type { RequestBudget } from '../../resolvers/budget.js';
import { errorTable, isErrorCode } from '../../resolvers/errors.js';
import { ZarrError } from '../../zarr/index.js';
import type { GatewayMetrics, OperationFailure, OperationRecord } from '../options.js';

/** Maximum number of failures logged per operation. The codes of all are logged. */
const MAX_FAILURES = 5;
const MAX_CAUSES = 4;
const MAX_TEXT = 300;

/** @param shown the error as clients see it */
export function operationFailure(error: unknown, shown: GraphQLError): OperationFailure {
  const { store, path, key } = shown.extensions;
  const code = String(shown.extensions['code']);
  const field = shown.path?.join('.');
  const isOurs = isErrorCode(code) && errorTable[code].isOurs;
  const thrown = thrownIn(error);
  const causes = isOurs ? causesOf(thrown) : [];
  return {
    code,
    ...(field === undefined ? {} : { field: shortened(field) }),
    ...texts({ store, path, key }),
    ...(isOurs && thrown instanceof Error
      ? { message: shortened(thrown instanceof ZarrError ? thrown.detail : thrown.message) }
      : {}),
    ...(causes.length === 0 ? {} : { causes }),
  };
}

/** Removes the executor's wrappers. */
function thrownIn(error: unknown): unknown {
  let thrown = error;
  while (thrown instanceof GraphQLError && thrown.originalError !== undefined) thrown = thrown.originalError;
  return thrown;
}

function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause instanceof Error && causes.length < MAX_CAUSES) {
    const system = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
    causes.push(shortened(`${cause.name}: ${cause.message}${system}`));
    cause = cause.cause;
  }
  return causes;
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const strings: Record<string, string> = {};
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') strings[name] = shortened(value);
  }
  return strings;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}

export interface Recorded {
  /** Receives the record, with the operation's cost, in addition to the metrics. */
  readonly observe: ((record: OperationRecord) => void) | undefined;
  readonly budget: Pick<RequestBudget, 'plannedFromMs' | 'spent'>;
}

/** Kind and name of an operation. */
export interface NamedOperation extends Pick<OperationDefinitionNode, 'operation'> {
  readonly name?: { readonly value: string } | undefined;
}

/** @param startMs start time from `performance.now()` */
export type RecordOperation = (
  operation: NamedOperation,
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
    const failures = errors.slice(0, MAX_FAILURES).map((error) => operationFailure(error, show(error)));
    const record: OperationRecord = {
      kind,
      name: name?.value,
      durationMs: performance.now() - startMs,
      planMs: budget.plannedFromMs === undefined ? undefined : startMs - budget.plannedFromMs,
      cost: budget.spent(),
      codes: errors.map((error) => String(show(error).extensions['code'])),
      ...(failures.length === 0 ? {} : { failures }),
    };
    metrics.operation?.(record);
    observe?.(record);
  };
}
