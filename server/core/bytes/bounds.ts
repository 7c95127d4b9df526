/**
 * Bounds of kernels (loops over typed arrays), checked once at their entry: in the loops, an element out of range is
 * `undefined` without an error. A violation is a mistake in this program, never in a request (code INTERNAL).
 */

/** One dimension of a box that is copied: strides, or `count` explicit offsets, in bytes or elements. */
export interface CopyDim {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly fromAt?: Float64Array | undefined;
  readonly toAt?: Float64Array | undefined;
}

/** @param what the array, for the message. @throws RangeError if an array has fewer elements than a kernel accesses */
export function assertLength(array: { readonly length: number }, needed: number, what: string): void {
  // Also rejects NaN.
  if (!(array.length >= needed))
    throw new RangeError(`${what} has ${array.length} elements; the kernel accesses ${needed}`);
}

/**
 * Checks one side of a box of elements of `size` at `start`.
 * @param dims dimensions of the box; none is empty
 * @param length number of units of the side, in the unit of strides and `size`
 * @throws RangeError if an element is outside
 */
export function assertInside(
  dims: readonly CopyDim[],
  side: 'from' | 'to',
  start: number,
  size: number,
  length: number,
): void {
  let low = start;
  let high = start + size;
  for (const dim of dims) {
    const list = side === 'from' ? dim.fromAt : dim.toAt;
    if (list === undefined) {
      const step = (dim.count - 1) * (side === 'from' ? dim.from : dim.to);
      if (step < 0) low += step;
      else high += step;
      continue;
    }
    assertLength(list, dim.count, 'the list of positions');
    let [least, most] = [list[0], list[0]];
    for (let i = 1; i < dim.count; i++) {
      const at = list[i];
      if (at < least) least = at;
      else if (at > most) most = at;
    }
    low += least;
    high += most;
  }
  if (!(low >= 0 && high <= length))
    throw new RangeError(`positions ${low} to ${high} are outside the ${length} ${side === 'from' ? 'of the source' : 'of the destination'}`); // prettier-ignore
}
