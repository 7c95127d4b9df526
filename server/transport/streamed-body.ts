/** A response body out of pieces that are read as they are sent: nothing is made before it is wanted. */
import type { BodyPiece } from './time-sliced-body.js';

/**
 * Takes the first piece at once, the others as the stream is read; cancelling it ends the making.
 * @throws what making the first piece throws; later failures break the stream off
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
