/** Sends requests to a gateway in the same process, without serialisation. Errors have the same form as over HTTP. */
import type { GatewayLike } from '../options.js';
import { toJsonForm } from '../json/json-form.js';
import { isRecord } from '../json/json.js';
import { reasonOf, untilAborted } from './deadline.js';
import type { Send } from './http.js';
import { parseError } from './response.js';

export function createInProcessTransport(execute: NonNullable<GatewayLike['execute']>): Send {
  return async ({ query, variables, accept }, signal) => {
    if (signal.aborted) throw reasonOf(signal);
    const executed = execute({
      document: query,
      variables: isRecord(variables) ? variables : undefined,
      signal,
    });
    const { data, errors = [] } = await untilAborted(executed, signal);
    return {
      data: isRecord(data) ? (accept === 'json' ? recordOf(toJsonForm(data)) : data) : undefined,
      errors: errors.map((error) => parseError(error, undefined)),
      native: accept === 'values',
    };
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}
