/**
 * Answers whose body is there already, as buffers. A fetch Response would copy them into one, and streams cost more
 * than a small request; a server in front takes the answer instead. To everybody else it is an ordinary Response.
 */

/** An answer as HTTP sends it: the buffers of a body that is there whole, else its stream; null for none. */
export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[] | ReadableStream<Uint8Array> | null;
}

const wholeBodies = new WeakMap<Response, readonly Uint8Array[]>();

/** Bodies up to this are joined, so that they leave in one write. */
const MAX_JOINED_BYTES = 2 ** 15;

export function byteLengthOf(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

export function answerOf(
  body: readonly Uint8Array[] | ReadableStream<Uint8Array>,
  status: number,
  headers: Readonly<Record<string, string>>,
): Answer {
  if (body instanceof ReadableStream) return { status, headers, body };
  const length = byteLengthOf(body);
  return {
    status,
    headers: { ...headers, 'content-length': String(length) },
    body: length > MAX_JOINED_BYTES || body.length === 1 ? body : [Buffer.concat(body)],
  };
}

/** @param ResponseClass the one of the server, which may take less than the global one */
export function responseOf({ status, headers, body }: Answer, ResponseClass: typeof Response): Response {
  const start = { status, headers: { ...headers } };
  if (body === null || body instanceof ReadableStream) return new ResponseClass(body, start);
  const isSmall = byteLengthOf(body) <= MAX_JOINED_BYTES;
  const response = new ResponseClass(isSmall ? Buffer.concat(body) : streamOf(body), start);
  wholeBodies.set(response, body);
  return response;
}

/** What a server in front sends of a response, without copying a body that is there whole. */
export function answerOfResponse(response: Response): Answer {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return { status: response.status, headers, body: wholeBodies.get(response) ?? response.body };
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
