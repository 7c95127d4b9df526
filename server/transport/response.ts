/**
 * HTTP responses as plain data. A fetch `Response` would copy a body of several buffers into one, and a
 * stream costs more than a small request. The HTTP server sends the buffers without a copy.
 */

/**
 * A response. Its body is a list of buffers if it is fully buffered, otherwise a stream; null without a
 * body.
 */
export interface RawResponse {
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[] | ReadableStream<Uint8Array> | null;
  /**
   * What ends a body whose contents are created while it is sent: `caller` until the caller's token expires, as for
   * subscriptions; `execution` until the operation has been executed, within the time limit of requests.
   */
  readonly lasts?: 'caller' | 'execution';
}

/** Maximum size, in bytes, of a body whose buffers are joined, so that it is sent with one write. */
const MAX_JOINED_BYTES = 2 ** 15;

export function byteLengthOf(buffers: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.byteLength;
  return bytes;
}

/** Creates a response, with `content-length` if the body is fully buffered. */
export function rawResponse(
  body: readonly Uint8Array[] | ReadableStream<Uint8Array>,
  status: number,
  headers: Readonly<Record<string, string>>,
): RawResponse {
  if (body instanceof ReadableStream) return { status, headers, body };
  const length = byteLengthOf(body);
  return {
    status,
    headers: { 'content-length': String(length), ...headers },
    body: length > MAX_JOINED_BYTES || body.length === 1 ? body : [Buffer.concat(body)],
  };
}

/** Converts between raw responses and fetch's. */
export type ResponseConversion = ReturnType<typeof createResponseConversion>;

/** @param Base the class that responses extend */
export function createResponseConversion(Base: typeof Response) {
  class ResponseOfRaw extends Base {
    constructor(readonly raw: RawResponse) {
      super(bodyInit(raw), { status: raw.status, headers: { ...raw.headers } });
    }
  }
  return {
    toResponse: (raw: RawResponse): Response => new ResponseOfRaw(raw),
    /** Recovers the raw response from a response that `toResponse` created; converts any other response. */
    toRaw(response: Response): RawResponse {
      if (response instanceof ResponseOfRaw) return response.raw;
      const headers: Record<string, string> = {};
      response.headers.forEach((value, name) => {
        headers[name] = value;
      });
      return { status: response.status, headers, body: response.body };
    },
  };
}

/** The response as a `Response` of the platform. */
export function responseOf(raw: RawResponse): Response {
  return new Response(bodyInit(raw), { status: raw.status, headers: { ...raw.headers } });
}

function bodyInit({ body }: RawResponse): BodyInit | null {
  if (body === null || body instanceof ReadableStream) return body;
  return byteLengthOf(body) <= MAX_JOINED_BYTES ? Buffer.concat(body) : streamOf(body);
}

/** Converts buffers to a stream. Lazy: does nothing until the stream is read. */
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
