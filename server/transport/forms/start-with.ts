import type { BodyPiece } from '../time-sliced-body.js';

/** Yields `first`, once the first of the others could be made: values that cannot be read make no file. */
export async function* startWith(
  first: BodyPiece,
  others: AsyncGenerator<BodyPiece>,
): AsyncGenerator<BodyPiece> {
  const second = await others.next();
  yield first;
  if (second.done !== true) yield second.value;
  yield* others;
}
