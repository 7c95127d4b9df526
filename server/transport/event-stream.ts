/**
 * Streams of GraphQL results as server-sent events (HTML standard, "Server-sent events"; the "distinct connections mode"
 * of the GraphQL over SSE protocol): `event: next` with a result as JSON, `event: complete` at the end.
 */
import { resultText } from './json/result-text.js';
import { pacedBody } from './paced-body.js';
import { shownResult, type SingleResult } from './result-response.js';

export const eventStreamMediaType = 'text/event-stream';

/** How long nothing may be sent: proxies take a connection on which nothing happens for dead after half a minute. */
const KEEP_ALIVE_MS = 12_000;

const encoder = new TextEncoder();
const comment = encoder.encode(':\n\n');
const complete = encoder.encode('event: complete\ndata: \n\n');

const headers: Readonly<Record<string, string>> = {
  'content-type': `${eventStreamMediaType}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // For proxies that collect answers before they hand them on (nginx).
  'x-accel-buffering': 'no',
  vary: 'Accept',
};

/**
 * Results are taken one at a time, as the client takes the events. Cancelling the body ends the results.
 * @param results must not fail: an error is a result that has it
 * @param ResponseClass the one of the server, which may take less than the global one
 */
export function eventStreamResponse(
  results: AsyncIterator<SingleResult>,
  status: number,
  ResponseClass: typeof Response,
): Response {
  return new ResponseClass(eventStream(results), { status, headers: { ...headers } });
}

function eventStream(results: AsyncIterator<SingleResult>): ReadableStream<Uint8Array> {
  let awaited: Promise<IteratorResult<SingleResult, unknown>> | undefined;
  /** Of an event that takes long to write. */
  let rest: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** Puts at least one piece of the next event, a sign of life where there is none, or the end. */
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
    const body = pacedBody(eventText(next.value));
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
      // Some clients take a response for open only when its body begins.
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

function* eventText(result: SingleResult): Generator<string> {
  yield 'event: next\ndata: ';
  // One line: JSON text as it is written here has no line breaks.
  yield* resultText(shownResult(result));
  yield '\n\n';
}

/** Undefined where it takes longer. */
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
