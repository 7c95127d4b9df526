/** Arithmetic on shapes and grids, in C order. */

export { sameShape, sizeOf, stridesOf } from '../../../wire/shape.js';

/** Calls `visit` with every index of a grid of `counts`. `visit` must copy the array to keep it. */
export function forEachIndex(counts: readonly number[], visit: (index: readonly number[]) => void): void {
  if (counts.some((count) => count < 1)) return;
  const index = counts.map(() => 0);
  do visit(index);
  while (advance(index, counts));
}

/**
 * Moves an index of a grid to the next one in C order.
 * @param counts lengths of the dimensions, and possibly of others inside them
 * @returns false after the last index, which becomes the first
 */
export function advance(index: number[], counts: readonly number[]): boolean {
  for (let d = index.length - 1; d >= 0; d--) {
    const next = index[d] + 1;
    if (next < counts[d]) {
      index[d] = next;
      return true;
    }
    index[d] = 0;
  }
  return false;
}

/** Generates every index of a grid in C order. Each is valid until the next one. */
export function* indicesOf(counts: readonly number[]): Generator<readonly number[]> {
  if (counts.some((count) => count < 1)) return;
  const index = counts.map(() => 0);
  do yield index;
  while (advance(index, counts));
}

/** The position, in C order, of an index in a grid of `counts`. */
export function linearIndex(index: readonly number[], counts: readonly number[]): number {
  let linear = 0;
  for (let d = 0; d < counts.length; d++) linear = linear * counts[d] + index[d];
  return linear;
}

/**
 * Creates nested lists of a shape; a bare value if there are no dimensions.
 * @param read returns the value at a position in C order
 */
export function nestShape(shape: readonly number[], read: (position: number) => unknown, start = 0): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return read(start);
  const step = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length }, (_, i) => nestShape(inner, read, start + i * step));
}

/**
 * The strides of an array along the dimensions of a box; 0 along dimensions that the array does not have.
 * @param axes dimension of the box for each dimension of the array
 */
export function stridesAlong(axes: readonly number[], strides: readonly number[], rank: number): number[] {
  const along = new Array<number>(rank).fill(0);
  axes.forEach((axis, i) => (along[axis] = strides[i]));
  return along;
}
