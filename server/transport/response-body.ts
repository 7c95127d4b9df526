/**
 * Responses whose body is there already, as buffers. A fetch Response would copy them into one, and streams cost more
 * than a small request; a server in front asks for the buffers instead. To everybody else it is an ordinary Response.
 */

const wholeBodies = new WeakMap<Response, readonly Uint8Array[]>();

/** Bodies up to this are joined, so that they leave in one write. */
const MAX_JOINED_BYTES = 2 ** 15;

/** The body of a response, to be sent one after the other, or undefined where it is a stream (or none). */
export function wholeBody(response: Response): readonly Uint8Array[] | undefined {
  return wholeBodies.get(response);
}

export function byteLengthOf(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

/** @param ResponseClass the one of the server, which may take less than the global one */
export function responseOf(
  body: readonly Uint8Array[] | ReadableStream<Uint8Array>,
  status: number,
  headers: Record<string, string>,
  ResponseClass: typeof Response,
): Response {
  if (body instanceof ReadableStream) return new ResponseClass(body, { status, headers });
  const length = byteLengthOf(body);
  const start = { status, headers: { ...headers, 'content-length': String(length) } };
  if (length > MAX_JOINED_BYTES) return withBuffers(new ResponseClass(streamOf(body), start), body);
  const joined = Buffer.concat(body);
  return withBuffers(new ResponseClass(joined, start), [joined]);
}

function withBuffers(response: Response, buffers: readonly Uint8Array[]): Response {
  wholeBodies.set(response, buffers);
  return response;
}

/** For those who read the response as one. Nothing happens until then. */
function streamOf(buffers: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = buffers.values();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = rest.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
