/** NumPy's broadcasting rules for shapes and strides. */
import { InputError } from '../errors.js';

/**
 * Computes strides that read an array of `shape` as if it had the shape `target`: dimensions are compared
 * from the last; dimensions of length 1 are repeated, missing ones are added in front. As in NumPy's
 * assignment, extra leading dimensions of length 1 are dropped.
 * @param strides strides of the array, one per dimension, in any unit
 * @throws InputError that states both shapes
 */
export function broadcastStrides(
  shape: readonly number[],
  strides: readonly number[],
  target: readonly number[],
): number[] {
  const extra = shape.length - target.length;
  const misfit = shape.some((length, d) => {
    const wanted = d < extra ? 1 : target[d - extra];
    return length !== 1 && length !== wanted;
  });
  if (misfit)
    throw new InputError(
      `values of shape [${shape.join(', ')}] do not broadcast to [${target.join(', ')}]; lengths must be equal or 1, counted from the last dimension`,
    );
  return target.map((_, d) =>
    shape[d + extra] === undefined || shape[d + extra] === 1 ? 0 : strides[d + extra],
  );
}

/** The shape that all of `shapes` broadcast to. @throws InputError if there is none */
export function broadcastShapes(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, d) => {
    let length = 1;
    for (const shape of shapes) {
      const own = shape[d - (rank - shape.length)] ?? 1;
      if (own === 1 || own === length) continue;
      if (length !== 1)
        throw new InputError(
          `shapes ${shapes.map((s) => `[${s.join(', ')}]`).join(' and ')} do not broadcast to a common shape`,
        );
      length = own;
    }
    return length;
  });
}
