/**
 * Results as server-sent events (HTML standard, "Server-sent events"; "distinct connections mode" of the
 * GraphQL over SSE protocol): `event: next` with a result as JSON, `event: complete` at the end. Yoga's
 * processor for this protocol is not used, because it writes each event at once, which blocks the event
 * loop for large values.
 */
import { inTurn } from '../zarr/index.js';
import { resultText } from './json/result-text.js';
import { type RawResponse, shownResult, type SingleResult } from './response.js';
import { type BodyPiece, timeSlicedBody } from './time-sliced-body.js';

export const EVENT_STREAM_MEDIA_TYPE = 'text/event-stream';

/** Interval of comments on an idle stream: common proxies close idle connections after 30 seconds. */
const KEEP_ALIVE_MS = 12_000;

const encoder = new TextEncoder();
const comment = encoder.encode(':\n\n');
const complete = encoder.encode('event: complete\ndata: \n\n');

const headers: Readonly<Record<string, string>> = {
  'content-type': `${EVENT_STREAM_MEDIA_TYPE}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Turns off response buffering in nginx.
  'x-accel-buffering': 'no',
  vary: 'Accept',
};

/**
 * Creates a response from results, which are requested one at a time as the client reads. Cancelling the body
 * ends the results.
 * @param results iterator that must not throw; errors are results
 */
export function eventStreamResponse(results: AsyncIterator<SingleResult>, status: number): RawResponse {
  return { status, headers, body: eventStream(results) };
}

function eventStream(results: AsyncIterator<SingleResult>): ReadableStream<Uint8Array> {
  let awaited: Promise<IteratorResult<SingleResult, unknown>> | undefined;
  /** The remaining pieces of an event that takes several turns to write. */
  let rest: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** Enqueues at least one piece of the next event, a comment if there is none in time, or the end. */
  async function putNext(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    awaited ??= results.next();
    const next = await withinKeepAlive(awaited);
    if (next === undefined) {
      controller.enqueue(comment);
      return;
    }
    awaited = undefined;
    if (next.done === true) {
      controller.enqueue(complete);
      controller.close();
      return;
    }
    // One event may have hundreds of subscribers, whose results arrive in the same turn of the event loop.
    const body = await inTurn(() => timeSlicedBody(eventText(next.value)));
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
      // Sends a comment, because some clients consider a response open only when its body begins.
      start: (controller) => controller.enqueue(comment),
      pull: (controller) => (rest === undefined ? putNext(controller) : putRest(controller, rest)),
      async cancel() {
        await rest?.cancel();
        await results.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function* eventText(result: SingleResult): Generator<BodyPiece> {
  yield 'event: next\ndata: ';
  // A single line: the JSON writer emits no line breaks.
  yield* resultText(shownResult(result));
  yield '\n\n';
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
