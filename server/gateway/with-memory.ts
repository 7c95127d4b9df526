/** Memory leases for requests of programs that embed a gateway without providing leases. */
import type { RequestMemory } from '../memory/budget.js';
import type { MemoryBudget } from '../memory/budget.js';
import type { RawResponse } from '../transport/response.js';

/** The client of all requests without a client name. */
export const IN_PROCESS = 'process';

/** Memory, in bytes, above which a lease stays open while the body is streamed. */
const SMALL_BYTES = 2 ** 20;

interface MemoryOptions {
  readonly memory?: RequestMemory | undefined;
  readonly client?: string | undefined;
}

/**
 * Responds using the caller's memory lease, if given. Otherwise opens a lease that ends when the body has
 * been read or cancelled. If the lease holds little memory and nothing is left to execute, or the body is
 * fully buffered, the lease ends before the response is returned.
 */
export function withMemory<T extends MemoryOptions>(
  memory: MemoryBudget,
  request: T,
  respond: (request: T & { readonly memory: RequestMemory }) => Promise<RawResponse>,
): Promise<RawResponse> {
  if (request.memory !== undefined) return respond({ ...request, memory: request.memory });
  const lease = memory.open(request.client ?? IN_PROCESS);
  return withOwnMemory(lease, () => respond({ ...request, memory: lease }));
}

async function withOwnMemory(
  lease: RequestMemory,
  respond: () => Promise<RawResponse>,
): Promise<RawResponse> {
  try {
    const response = await respond();
    const { body } = response;
    const isUnfinished = response.lasts === 'execution' || lease.held > SMALL_BYTES;
    if (body instanceof ReadableStream && isUnfinished)
      return { ...response, body: endingStream(body, () => lease.end()) };
    lease.end();
    return response;
  } catch (error) {
    lease.end();
    throw error;
  }
}

function endingStream(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        onEnd();
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
