import type { BodyPiece } from '../time-sliced-body.js';

/**
 * Yields `first` after the first of the remaining pieces has been created, so that a failing read produces
 * no output.
 */
export async function* startWith(
  first: BodyPiece,
  others: AsyncGenerator<BodyPiece>,
): AsyncGenerator<BodyPiece> {
  const second = await others.next();
  yield first;
  if (second.done !== true) yield second.value;
  yield* others;
}
