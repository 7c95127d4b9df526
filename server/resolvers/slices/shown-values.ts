/** Values of a response that is sent in parts. */
import type { GatewayContext } from '../context.js';

/**
 * Registers a value that shows a result, so that its memory is released when the value has been sent.
 * @param source keeps the result for other fields, until then
 */
export function shownIn<T extends object>(
  { operationMemory }: Pick<GatewayContext, 'operationMemory'>,
  value: T,
  result: object,
  source?: { forget(): void },
): T {
  return operationMemory.show(value, result, () => source?.forget());
}
