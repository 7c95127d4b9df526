/** Arithmetic on shapes and grids, in C order. */

export { sameShape, sizeOf, stridesOf } from '../../../wire/shape.js';

/** Calls `visit` with every index of a grid of `counts`. `visit` must copy the array to keep it. */
export function forEachIndex(counts: readonly number[], visit: (index: readonly number[]) => void): void {
  if (counts.some((count) => count < 1)) return;
  const index = counts.map(() => 0);
  for (;;) {
    visit(index);
    let d = counts.length - 1;
    while (d >= 0) {
      const next = (index[d] ?? 0) + 1;
      if (next < (counts[d] ?? 0)) {
        index[d] = next;
        break;
      }
      index[d] = 0;
      d--;
    }
    if (d < 0) return;
  }
}

/** Position of an index in a grid of `counts`. */
export function linearIndex(index: readonly number[], counts: readonly number[]): number {
  let linear = 0;
  for (let d = 0; d < counts.length; d++) linear = linear * (counts[d] ?? 1) + (index[d] ?? 0);
  return linear;
}

/**
 * Nested lists of a shape; a bare value if there are no dimensions.
 * @param read the value at a position in C order
 */
export function nestShape(shape: readonly number[], read: (position: number) => unknown, start = 0): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return read(start);
  const step = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length }, (_, i) => nestShape(inner, read, start + i * step));
}
