/** The memory of requests of programs that embed a gateway without providing it. */
import { IN_PROCESS, type MemoryBudget, type RequestMemory } from '../memory/budget.js';
import type { RawResponse } from '../transport/response.js';

/** Memory, in bytes, above which a request keeps it while the body is streamed. */
const SMALL_BYTES = 2 ** 20;

interface MemoryOptions {
  readonly memory?: RequestMemory | undefined;
  readonly client?: string | undefined;
}

/**
 * Responds using the memory that the caller opened for the request, if given. Otherwise opens it, and ends it when the
 * body has been read or cancelled. If the request holds little memory and nothing is left to execute, or the body is
 * fully buffered, it ends before the response is returned.
 */
export function withMemory<T extends MemoryOptions>(
  memory: MemoryBudget,
  request: T,
  respond: (request: T & { readonly memory: RequestMemory }) => Promise<RawResponse>,
): Promise<RawResponse> {
  if (request.memory !== undefined) return respond({ ...request, memory: request.memory });
  const own = memory.open(request.client ?? IN_PROCESS);
  return withOwnMemory(own, () => respond({ ...request, memory: own }));
}

async function withOwnMemory(own: RequestMemory, respond: () => Promise<RawResponse>): Promise<RawResponse> {
  try {
    const response = await respond();
    const { body } = response;
    const isUnfinished = response.lasts === 'execution' || own.held > SMALL_BYTES;
    if (body instanceof ReadableStream && isUnfinished)
      return { ...response, body: endingStream(body, () => own.end()) };
    own.end();
    return response;
  } catch (error) {
    own.end();
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
