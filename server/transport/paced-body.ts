/**
 * A response body out of pieces of text that take time to make. What is done within a few milliseconds becomes one
 * buffer; the rest is streamed in turns of a few milliseconds, so that a long answer never holds up the short ones.
 */

/** How long one turn may keep the process to itself. */
const TURN_MS = 4;

/** Bytes of a body that is still collected rather than streamed. */
const MAX_COLLECTED_BYTES = 2 ** 20;

/** Bytes handed to the stream at once: few enough to be gentle on memory, enough to make each hand-over cheap. */
const CHUNK_BYTES = 2 ** 18;

/** The whole body where it is short, else a stream that is made as it is read. */
export function pacedBody(pieces: Iterator<string>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const turn = takeTurn(pieces, MAX_COLLECTED_BYTES);
  if (turn.done) return turn.bytes;
  let ready: Uint8Array | undefined = turn.bytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (ready !== undefined) {
          controller.enqueue(ready);
          ready = undefined;
          return;
        }
        await nextTick();
        const { bytes, done } = takeTurn(pieces, CHUNK_BYTES);
        if (bytes.length > 0) controller.enqueue(bytes);
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
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly done: boolean;
}

/** Makes pieces until the time or `maxBytes` is used up. At least one piece, so that every turn gets somewhere. */
function takeTurn(pieces: Iterator<string>, maxBytes: number): Turn {
  const until = performance.now() + TURN_MS;
  const buffers: Buffer<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const next = pieces.next();
    if (next.done === true) return { bytes: joined(buffers), done: true };
    const buffer = Buffer.from(next.value, 'utf8');
    buffers.push(buffer);
    length += buffer.length;
    if (length >= maxBytes || performance.now() >= until) return { bytes: joined(buffers), done: false };
  }
}

function joined(buffers: readonly Buffer<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = buffers;
  return buffers.length === 1 && only !== undefined ? only : Buffer.concat(buffers);
}

/** After what else waits to run, input and output included. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
