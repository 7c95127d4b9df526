/**
 * A response body from pieces that take time to create. A body that takes a few milliseconds is fully
 * buffered; a longer one is streamed in turns of a few milliseconds, so that other requests are not
 * delayed.
 */

/** Maximum time of one turn, in milliseconds. */
const TURN_MS = 4;

/** Maximum size of text that is not streamed. */
const MAX_COLLECTED_BYTES = 2 ** 20;

/** Size of text that is enqueued at once: a compromise between memory and the cost of each enqueue. */
const CHUNK_BYTES = 2 ** 18;

/** Text, written as UTF-8, or bytes, passed on without a copy. */
export type BodyPiece = string | Uint8Array;

/** The buffers of the whole body if it takes one turn, else a stream that creates pieces on demand. */
export function timeSlicedBody(
  pieces: Iterator<BodyPiece>,
): readonly Uint8Array[] | ReadableStream<Uint8Array> {
  const turn = takeTurn(pieces, MAX_COLLECTED_BYTES);
  if (turn.done) return turn.buffers;
  let ready: readonly Uint8Array[] = turn.buffers;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let done = false;
        if (ready.length === 0) {
          await nextTick();
          ({ buffers: ready, done } = takeTurn(pieces, CHUNK_BYTES));
        }
        for (const buffer of ready) controller.enqueue(buffer);
        ready = [];
        if (done) controller.close();
      },
      cancel() {
        pieces.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}

interface Turn {
  readonly buffers: readonly Uint8Array[];
  readonly done: boolean;
}

/** Creates at least one piece. Stops when the time or `maxBytes` is used up. */
function takeTurn(pieces: Iterator<BodyPiece>, maxBytes: number): Turn {
  const until = performance.now() + TURN_MS;
  const buffers: Uint8Array[] = [];
  let texts: Buffer[] = [];
  let length = 0;
  const closeTexts = (): void => {
    if (texts.length > 0) buffers.push(joined(texts));
    texts = [];
  };
  for (;;) {
    const next = pieces.next();
    if (next.done === true) {
      closeTexts();
      return { buffers, done: true };
    }
    if (typeof next.value === 'string') {
      const text = Buffer.from(next.value, 'utf8');
      texts.push(text);
      length += text.length;
    } else if (next.value.length > 0) {
      closeTexts();
      buffers.push(next.value);
    }
    if (length >= maxBytes || performance.now() >= until) {
      closeTexts();
      return { buffers, done: false };
    }
  }
}

/** Concatenates buffers. A single buffer is returned without a copy. */
function joined(buffers: readonly Uint8Array[]): Uint8Array {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

/** Resolves after pending I/O events. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
