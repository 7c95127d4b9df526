/**
 * Responses with several results: the events of a subscription, and the parts of a result with `@defer` or `@stream`.
 * One writer serves all media types; their framing is data. Yoga's processors are not used, because they write each
 * result at once, which blocks the event loop for large values.
 */
import { inTurn } from '../zarr/index.js';
import { resultCbor } from './cbor/result-cbor.js';
import { resultText } from './json/result-text.js';
import type { RawResponse } from './response.js';
import { type ResultPart, shownResult, type SingleResult } from './graphql-response.js';
import { type BodyPiece, timeSlicedBody } from './time-sliced-body.js';

/** How the results of a stream are framed. */
export interface StreamForm {
  readonly mediaType: string;
  readonly contentType: string;
  /** Starts the body. Also written immediately, because some clients consider a response open only when its body begins. */
  readonly start: string;
  /** Written to an idle stream; undefined if the media type has no comments. */
  readonly comment?: string;
  /** Follows the last result. */
  readonly end: string;
  /** One result in its frame. */
  item(value: unknown): Iterator<BodyPiece>;
}

/**
 * Server-sent events (HTML standard, "Server-sent events"; "distinct connections mode" of the GraphQL over SSE
 * protocol): `event: next` with a result as JSON, `event: complete` at the end.
 */
export const eventStream = {
  mediaType: 'text/event-stream',
  contentType: 'text/event-stream; charset=utf-8',
  start: ':\n\n',
  comment: ':\n\n',
  end: 'event: complete\ndata: \n\n',
  *item(value) {
    yield 'event: next\ndata: ';
    // A single line: the JSON writer emits no line breaks.
    yield* resultText(value);
    yield '\n\n';
  },
} as const satisfies StreamForm;

/**
 * `multipart/mixed` (RFC 2046; "Incremental delivery over HTTP" of GraphQL over HTTP): one result as JSON per part. The
 * delimiter follows each part immediately, so that clients need not wait for the next part.
 */
export const multipart = {
  mediaType: 'multipart/mixed',
  contentType: 'multipart/mixed; boundary="-"',
  start: '\r\n---',
  end: '--\r\n',
  *item(value) {
    yield '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n';
    yield* resultText(value);
    yield '\r\n---';
  },
} as const satisfies StreamForm;

/** Start of each part with a payload, whose delimiter follows immediately. */
const PAYLOAD_HEAD = '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n';
const PAYLOAD_DELIMITER = '\r\n--graphql';

/**
 * Events of a subscription as `multipart/mixed` with `subscriptionSpec=1.0` ("Multipart HTTP protocol for GraphQL
 * subscriptions" of Apollo): one result per part as the member `payload`, and `{}` while there is none.
 */
export const multipartPayloads = {
  mediaType: 'multipart/mixed',
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
  start: PAYLOAD_DELIMITER,
  comment: `${PAYLOAD_HEAD}{}${PAYLOAD_DELIMITER}`,
  end: '--\r\n',
  *item(value) {
    yield `${PAYLOAD_HEAD}{"payload":`;
    yield* resultText(value);
    yield `}${PAYLOAD_DELIMITER}`;
  },
} as const satisfies StreamForm;

/** A CBOR sequence (RFC 8742): one item per result, with numbers as typed arrays. */
export const cborSequence = {
  mediaType: 'application/cbor-seq',
  contentType: 'application/cbor-seq',
  start: '',
  end: '',
  item: (value) => resultCbor(value),
} as const satisfies StreamForm;

/** The results of a stream, as sent. */
export interface StreamSource {
  /** Must not throw; errors are results. */
  readonly results: AsyncIterator<SingleResult | ResultPart>;
  /** A result without content, written to an idle stream of a form without comments. */
  readonly idle: object;
  /** See `RawResponse.lasts`. */
  readonly lasts: NonNullable<RawResponse['lasts']>;
}

/** Interval of comments on an idle stream: common proxies close idle connections after 30 seconds. */
const KEEP_ALIVE_MS = 12_000;

/**
 * Creates a response from results, which are requested one at a time as the client reads: when a result is requested,
 * the previous one has been sent. Cancelling the body ends the results.
 */
export function streamResponse(form: StreamForm, source: StreamSource, status: number): RawResponse {
  const headers = {
    'content-type': form.contentType,
    'cache-control': 'no-store, no-transform',
    // Turns off response buffering in nginx.
    'x-accel-buffering': 'no',
    vary: 'Accept',
  };
  return { status, headers, body: streamBody(form, source), lasts: source.lasts };
}

function streamBody(form: StreamForm, { results, idle }: StreamSource): ReadableStream<Uint8Array> {
  let awaited: Promise<IteratorResult<SingleResult | ResultPart, unknown>> | undefined;
  /** The remaining pieces of a result that takes several turns to write. */
  let rest: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** Enqueues at least one piece of the next result, a comment if there is none in time, or the end. */
  async function putNext(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    awaited ??= results.next();
    const next = await withinKeepAlive(awaited);
    if (next === undefined) {
      if (form.comment === undefined) await putItem(controller, idle);
      else controller.enqueue(Buffer.from(form.comment));
      return;
    }
    awaited = undefined;
    if (next.done !== true) {
      await putItem(controller, shownResult(next.value));
      return;
    }
    if (form.end !== '') controller.enqueue(Buffer.from(form.end));
    controller.close();
  }

  async function putItem(
    controller: ReadableStreamDefaultController<Uint8Array>,
    value: unknown,
  ): Promise<void> {
    // One event may have hundreds of subscribers, whose results arrive in the same turn of the event loop.
    const body = await inTurn(() => timeSlicedBody(form.item(value)));
    if (!(body instanceof ReadableStream)) for (const part of body) controller.enqueue(part);
    else {
      rest = body.getReader();
      await putRest(controller, rest);
    }
  }

  async function putRest(
    controller: ReadableStreamDefaultController<Uint8Array>,
    reader: ReadableStreamDefaultReader<Uint8Array>,
  ): Promise<void> {
    const { done, value } = await reader.read();
    if (!done) {
      controller.enqueue(value);
      return;
    }
    rest = undefined;
    await putNext(controller);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (form.start !== '') controller.enqueue(Buffer.from(form.start));
      },
      pull: (controller) => (rest === undefined ? putNext(controller) : putRest(controller, rest)),
      async cancel() {
        await rest?.cancel();
        await results.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** @returns undefined if the wait takes longer */
async function withinKeepAlive<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
