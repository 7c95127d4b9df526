import type { Exchange } from './exchange.js';
import type { RequestRecord } from './metrics.js';
import type { HttpServerParts } from './options.js';

/**
 * Logs a finished request.
 * @param isQuiet log at level debug, unless the request failed with an error code
 */
export type LogRequest = (exchange: Exchange, record: Omit<RequestRecord, 'route'>, isQuiet: boolean) => void;

/**
 * Logs one line per request. For a failure, the line has the error, its cause, the cost and the caller. The
 * level is error for status 5xx, and warn if fields failed for a reason that is not the client's.
 */
export function createRequestLog(logger: HttpServerParts['logger']): LogRequest {
  return (exchange, { method, path, status, durationMs, responseBytes, aborted }, isQuiet) => {
    const { id, caller, operation } = exchange;
    const codes = codesOf(exchange);
    const failures = exchange.failure === undefined ? operation?.failures : [exchange.failure];
    const hasFailed = status >= 500 || codes.length > 0;
    const line = {
      id,
      method,
      path: shownPath(path),
      status,
      ms: Math.round(durationMs * 1000) / 1000,
      bytes: responseBytes,
      ...(caller === undefined ? {} : { caller }),
      ...(operation === undefined ? {} : { operation: operation.name, kind: operation.kind }),
      ...(codes.length === 0 ? {} : { codes }),
      ...(failures === undefined ? {} : { failures }),
      ...(hasFailed ? { client: exchange.address } : {}),
      ...(hasFailed && operation?.cost !== undefined ? { cost: operation.cost } : {}),
      ...(aborted ? { aborted } : {}),
      ...(exchange.tooSlow ? { tooSlow: true } : {}),
    };
    // A gateway that is shutting down is not ready, which is not a failure.
    if (isQuiet && codes.length === 0) logger.debug(line, 'request');
    else if (status >= 500) logger.error(line, 'request');
    // Only failures that the client did not cause have a log message.
    else if (failures?.some(({ message }) => message !== undefined) === true) logger.warn(line, 'request');
    else logger.info(line, 'request');
  };
}

/** A link that reaches a wrong path is still valid, so its token must not be logged. */
function shownPath(path: string): string {
  return path.replaceAll(/([^/]{40})[^/]+/g, '$1...').slice(0, 200);
}

function codesOf({ operation, problemCode, failure }: Exchange): string[] {
  const codes = [problemCode, failure?.code, ...(operation?.codes ?? [])];
  return [...new Set(codes.filter((code) => code !== undefined))];
}
