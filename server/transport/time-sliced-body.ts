/**
 * A response body from pieces that take time to create. A body that takes a few milliseconds is fully
 * buffered; a longer one is streamed in turns of a few milliseconds, so that other requests are not
 * delayed.
 */
import { inTurn, turnMs } from '../zarr/index.js';

/** Maximum size, in bytes, of text that is not streamed. */
const MAX_COLLECTED_BYTES = 2 ** 21;

/**
 * Size, in bytes, of text that is enqueued at once: a compromise between memory and the cost of each enqueue.
 */
const ENQUEUED_BYTES = 2 ** 18;

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
          ({ buffers: ready, done } = await inTurn(() => takeTurn(pieces, ENQUEUED_BYTES)));
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

/** Creates at least one piece. Stops after `turnMs.shared`, or after `maxBytes` of text. */
function takeTurn(pieces: Iterator<BodyPiece>, maxBytes: number): Turn {
  const until = performance.now() + turnMs.shared;
  const buffers: Uint8Array[] = [];
  let texts: Buffer[] = [];
  let length = 0;
  const closeTexts = (): void => {
    const [only] = texts;
    if (only !== undefined) buffers.push(texts.length === 1 ? only : Buffer.concat(texts));
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

/**
 * Creates the first piece immediately and the others as the stream is read. Cancelling the stream ends the generator.
 * @throws errors from the first piece; later failures error the stream
 */
export async function streamedBody(
  pieces: AsyncGenerator<BodyPiece>,
  passed?: () => void,
): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<BodyPiece> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = first ?? (await pieces.next());
        first = undefined;
        if (next.done === true) controller.close();
        else {
          passed?.();
          controller.enqueue(typeof next.value === 'string' ? Buffer.from(next.value) : next.value);
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
