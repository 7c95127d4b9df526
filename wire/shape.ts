/** Arithmetic on shapes in C order. */

/** Number of elements; 1 for the 0-d shape. May exceed 2^53, so compare it with a bound before you rely on it. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/** C-order strides as multiples of `unit` (bytes of an element, or 1 for strides in elements). */
export function stridesOf(shape: readonly number[], unit = 1): number[] {
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

/** A value, or lists of values nested to any depth. */
export type Nested<T> = T | Nested<T>[];

/**
 * Creates lists nested by `shape`; a bare value for the 0-d shape.
 * @param at returns the element at a position in C order
 */
export function nest<T>(shape: readonly number[], at: (position: number) => T): Nested<T> {
  const build = (d: number, from: number, step: number): Nested<T> => {
    const size = shape[d];
    if (size === undefined) return at(from);
    const inner = size === 0 ? 0 : step / size;
    return Array.from({ length: size }, (_, i) => build(d + 1, from + i * inner, inner));
  };
  return build(0, 0, sizeOf(shape));
}
