/** Memory for requests whose caller brings none: those of programs that embed a gateway. */
import type { MemoryLease } from '../memory/lease.js';
import { type Answer, answerOfResponse } from '../transport/response-body.js';

/** What a stream of less may hold is not worth watching. */
const SMALL_BYTES = 2 ** 20;

/**
 * Ends the memory of an answer when its body has been read or cancelled. A body that is there whole belongs to the
 * caller.
 */
export async function endWithAnswer(lease: MemoryLease, answer: Promise<Answer>): Promise<Answer> {
  try {
    const plain = await answer;
    const body = bodyOf(plain, lease);
    return body === undefined ? plain : { ...plain, body };
  } catch (error) {
    lease.end();
    throw error;
  }
}

/** The same for a response. */
export async function endWithResponse(
  lease: MemoryLease,
  answer: Promise<Response>,
  ResponseClass: typeof Response,
): Promise<Response> {
  try {
    const response = await answer;
    const body = bodyOf(answerOfResponse(response), lease);
    const { status, headers } = response;
    return body === undefined ? response : new ResponseClass(body, { status, headers });
  } catch (error) {
    lease.end();
    throw error;
  }
}

/** A body that ends the lease with itself; undefined where the lease has ended already. */
function bodyOf({ body }: Answer, lease: MemoryLease): ReadableStream<Uint8Array> | undefined {
  if (body instanceof ReadableStream && lease.held > SMALL_BYTES)
    return endingStream(body, () => lease.end());
  lease.end();
  return undefined;
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
