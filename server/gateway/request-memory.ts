/** Memory leases for requests of programs that embed a gateway without providing leases. */
import type { MemoryLease } from '../memory/lease.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import type { RawResponse } from '../transport/raw-response.js';

/** The client of all requests without a client name. */
export const IN_PROCESS = 'process';

/** Minimum memory of a stream to be tracked. */
const SMALL_BYTES = 2 ** 20;

/**
 * Responds using the caller's memory lease, if given. Otherwise opens a lease that ends when the body has
 * been read or cancelled. For a small or fully buffered body, the lease ends before the response is
 * returned.
 */
export function withMemory(
  memory: ProcessMemory,
  {
    memory: given,
    client,
  }: { readonly memory?: MemoryLease | undefined; readonly client?: string | undefined },
  respond: (memory: MemoryLease) => Promise<RawResponse>,
): Promise<RawResponse> {
  return given === undefined ? withOwnMemory(memory.open(client ?? IN_PROCESS), respond) : respond(given);
}

async function withOwnMemory(
  lease: MemoryLease,
  respond: (memory: MemoryLease) => Promise<RawResponse>,
): Promise<RawResponse> {
  try {
    const response = await respond(lease);
    const { body } = response;
    if (body instanceof ReadableStream && lease.held > SMALL_BYTES)
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
