/** The log of finished requests. */
import type { OperationFailure, OperationRecord } from '../gateway/options.js';
import type { Exchange } from './exchange.js';
import type { RequestRecord } from './metrics.js';
import type { HttpServerParts } from './options.js';

/** The part of an exchange that the log contains. */
export interface LoggedExchange extends Pick<
  Exchange,
  'id' | 'caller' | 'failure' | 'problemCode' | 'address' | 'tooSlow'
> {
  readonly operations: readonly OperationRecord[];
  readonly span?: Exchange['span'];
}

/**
 * Logs a finished request.
 * @param isQuiet whether to log at level debug, unless the request failed with an error code
 */
export type LogRequest = (
  exchange: LoggedExchange,
  record: Omit<RequestRecord, 'route'>,
  isQuiet: boolean,
) => void;

/**
 * Logs one line per request. For a failure, the line also has the errors, their causes, the cost and the
 * client's address. The level is error for status 5xx, and warn if fields failed for a reason that is not the
 * client's.
 */
/** @param slowRequestMs duration from which a line has the plan and the cost; 0 for none */
export function createRequestLog(logger: HttpServerParts['logger'], slowRequestMs = 0): LogRequest {
  const isShown = (level: 'debug' | 'info'): boolean => logger.isLevelEnabled?.(level) ?? true;
  return (exchange, { method, path, status, durationMs, responseBytes, aborted }, isQuiet) => {
    const { id, caller, operations } = exchange;
    const [operation] = operations.length === 1 ? operations : [];
    const codes = codesOf(exchange);
    const ofOperations = codes.length === 0 ? undefined : failuresOf(operations);
    const failures = exchange.failure === undefined ? ofOperations : [exchange.failure];
    const hasFailed = status >= 500 || codes.length > 0;
    const isSlow = slowRequestMs > 0 && durationMs >= slowRequestMs && !isStream(operation);
    if (!hasFailed && !isSlow && !isShown(isQuiet ? 'debug' : 'info')) return;
    const line = {
      id,
      method,
      // A link that reaches a wrong path is still valid, so its token must not be logged.
      path: path.replaceAll(/([^/]{40})[^/]+/g, '$1...').slice(0, 200),
      status,
      ms: Math.round(durationMs * 1000) / 1000,
      bytes: responseBytes,
      ...(caller === undefined ? {} : { caller }),
      ...(operation === undefined ? {} : { operation: operation.name, kind: operation.kind }),
      ...(operations.length > 1 ? { operations: operations.map(({ name, kind }) => ({ name, kind })) } : {}),
      ...(codes.length === 0 ? {} : { codes }),
      ...(failures === undefined ? {} : { failures }),
      ...(hasFailed ? { client: exchange.address } : {}),
      ...((hasFailed || isSlow) && operation?.cost !== undefined ? { cost: operation.cost } : {}),
      ...(isSlow && operations.length > 1 ? { costs: operations.map(({ cost }) => cost) } : {}),
      ...(isSlow ? { phases: phasesOf(operations, durationMs) } : {}),
      ...(exchange.span === undefined ? {} : { trace: exchange.span.traceId }),
      ...(aborted ? { aborted } : {}),
      ...(exchange.tooSlow ? { tooSlow: true } : {}),
    };
    // A gateway that is shutting down is not ready, which is not a failure.
    if (isQuiet && codes.length === 0) logger.debug(line, 'request');
    else if (status >= 500) logger.error(line, 'request');
    else if (isSlow) logger.warn(line, 'slow request');
    // Only failures that the client did not cause have a log message.
    else if (failures?.some(({ message }) => message !== undefined) === true) logger.warn(line, 'request');
    else logger.info(line, 'request');
  };
}

/** A subscription lasts as long as its client wants. */
function isStream(operation: OperationRecord | undefined): boolean {
  return operation?.kind === 'subscription';
}

/** Where the time of a request went: until the execution, the execution, and the rest, mostly waiting and sending. */
function phasesOf(operations: readonly OperationRecord[], durationMs: number): Record<string, number> {
  const sum = (of: (operation: OperationRecord) => number): number =>
    Math.round(operations.reduce((total, operation) => total + of(operation), 0) * 1000) / 1000;
  const [planMs, executeMs] = [sum(({ planMs: own = 0 }) => own), sum(({ durationMs: own }) => own)];
  return {
    planMs,
    executeMs,
    otherMs: Math.max(0, Math.round((durationMs - planMs - executeMs) * 1000) / 1000),
  };
}

/** Maximum number of failures in a line. */
const MAX_FAILURES = 20;

function failuresOf(operations: readonly OperationRecord[]): readonly OperationFailure[] | undefined {
  let failures: readonly OperationFailure[] | undefined;
  for (const { failures: own } of operations)
    if (own !== undefined) failures = [...(failures ?? []), ...own].slice(0, MAX_FAILURES);
  return failures;
}

function codesOf({ operations, problemCode, failure }: LoggedExchange): string[] {
  const codes = new Set<string>();
  if (problemCode !== undefined) codes.add(problemCode);
  if (failure !== undefined) codes.add(failure.code);
  for (const operation of operations) for (const code of operation.codes) codes.add(code);
  return [...codes];
}
