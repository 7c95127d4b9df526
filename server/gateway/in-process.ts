/** Operations from within the process: the pipeline without HTTP. */
import type { ExecutionResult } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { IN_PROCESS, type MemoryBudget } from '../memory/budget.js';
import { type CallerRights, rightsOf } from '../resolvers/access/caller-rights.js';
import { InputError } from '../zarr/index.js';
import type { ExecuteRequest } from './options.js';
import type { Pipeline } from './pipeline/pipeline.js';

/** Executes an operation. Never rejects. @param open the pipeline of the requested schema */
export async function executeRequest(
  open: () => Promise<Pick<Pipeline, 'run'>>,
  pipeline: Pick<Pipeline, 'failure'>,
  memory: MemoryBudget,
  request: ExecuteRequest,
  caller: CallerRights,
): Promise<ExecutionResult> {
  const { document, variables, operationName, signal } = request;
  // Ends when this function returns: from then on, the result belongs to the caller.
  const own = memory.open(IN_PROCESS);
  try {
    const opened = await open();
    const result = await opened.run(
      {
        document: typeof document === 'string' ? { text: document } : document,
        variables,
        operationName,
        cost: undefined,
      },
      { transport: 'process', rights: rightsOf(caller), signal, memory: own },
    );
    return isAsyncIterable(result) ? pipeline.failure(new InputError('subscriptions require HTTP')) : result;
  } catch (error) {
    return pipeline.failure(error);
  } finally {
    own.end();
  }
}
