import type { BodyPiece } from '../time-sliced-body.js';

/**
 * Yields `first` once the first of the remaining pieces exists, so that values that cannot be read produce no
 * output.
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
