/** A response body from pieces that are created as the client reads. */
import type { BodyPiece } from './time-sliced-body.js';

/**
 * Creates the first piece immediately and the others as the stream is read. Cancelling the stream ends the generator.
 * @throws errors from the first piece; later failures error the stream
 */
export async function streamedBody(pieces: AsyncGenerator<BodyPiece>): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<BodyPiece> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = first ?? (await pieces.next());
        first = undefined;
        if (next.done === true) controller.close();
        else controller.enqueue(typeof next.value === 'string' ? Buffer.from(next.value) : next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
