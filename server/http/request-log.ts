import type { Exchange } from './exchange.js';
import type { RequestRecord } from './metrics.js';
import type { HttpServerParts } from './options.js';

/** Logs a request whose response has ended. @param isQuiet at level debug, unless it failed with a code */
export type LogRequest = (exchange: Exchange, record: Omit<RequestRecord, 'route'>, isQuiet: boolean) => void;

/**
 * One line a request. Where something failed, it says what, why, at what cost and for whom: at level error if the status
 * is 5xx, at level warn if fields of the answer lack for a reason that is not the client's.
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
    // A gateway that is about to end is not ready, which is no failure.
    if (isQuiet && codes.length === 0) logger.debug(line, 'request');
    else if (status >= 500) logger.error(line, 'request');
    // Only failures that are not the client's have a message.
    else if (failures?.some(({ message }) => message !== undefined) === true) logger.warn(line, 'request');
    else logger.info(line, 'request');
  };
}

/** A link that a proxy sends to a wrong path is still good: nothing as long as its token is logged. */
function shownPath(path: string): string {
  return path.replaceAll(/([^/]{40})[^/]+/g, '$1...').slice(0, 200);
}

function codesOf({ operation, problemCode, failure }: Exchange): string[] {
  const codes = [problemCode, failure?.code, ...(operation?.codes ?? [])];
  return [...new Set(codes.filter((code) => code !== undefined))];
}
