/** Arithmetic on shapes. Shapes are in elements; strides are in the caller's unit (bytes, or elements for items). */

/** Elements of a shape; 1 for the 0-d shape. May pass 2^53, so compare it with a bound before relying on it. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/** C-order strides of a shape whose elements are `unit` long. */
export function stridesOf(shape: readonly number[], unit: number): number[] {
  const strides = new Array<number>(shape.length);
  let stride = unit;
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= shape[d] ?? 1;
  }
  return strides;
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((length, d) => length === b[d]);
}

/** Calls `visit` with every index of a grid of `counts`, in C order. The array is reused: copy what is kept. */
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

/** The place of an index in a grid of `counts`, in C order. */
export function linearIndex(index: readonly number[], counts: readonly number[]): number {
  let linear = 0;
  for (let d = 0; d < counts.length; d++) linear = linear * (counts[d] ?? 1) + (index[d] ?? 0);
  return linear;
}
