/**
 * A response body out of pieces that take time to make. What is done within a few milliseconds is there whole; the rest
 * is streamed in turns of a few milliseconds, so that a long answer never holds up the short ones.
 */

/** How long one turn may keep the process to itself. */
const TURN_MS = 4;

/** Bytes of text that are still collected rather than streamed. */
const MAX_COLLECTED_BYTES = 2 ** 20;

/** Bytes of text handed to the stream at once: few enough to be gentle on memory, enough to make each hand-over cheap. */
const CHUNK_BYTES = 2 ** 18;

/** Text, to be written as UTF-8, or bytes, which are handed on as they are. */
export type BodyPiece = string | Uint8Array;

/** The buffers of the whole body where it is quickly made, else a stream that is made as it is read. */
export function pacedBody(pieces: Iterator<BodyPiece>): readonly Uint8Array[] | ReadableStream<Uint8Array> {
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

/** Makes pieces until the time or `maxBytes` is used up. At least one piece, so that every turn gets somewhere. */
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

/** One buffer of all; the buffer itself where there is only one. */
function joined(buffers: readonly Uint8Array[]): Uint8Array {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

/** After what else waits to run, input and output included. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
