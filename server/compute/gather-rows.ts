/** Repeats values along an axis, such as those of groups for the members of each group. */
import { sizeOf } from '../core/bytes/shape.js';
import type { FixedSizeType } from '../core/dtype/data-type.js';
import { missingBytes, numberAccess } from '../core/dtype/number-access.js';

/** An axis whose positions take values of another axis. */
export interface Gather {
  readonly axis: number;
  /** The position in the base; -1 for missing values. */
  readonly of: Int32Array;
}

/** Number of bytes that are copied between two yields. */
const STEP_BYTES = 2 ** 20;

/**
 * @param values values in C order of the shape
 * @param shape shape of the base
 * @param out receives the values in C order, with the length of `of` along the axis
 * @throws RangeError for other sizes, and for positions outside the base
 */
export function* gatherRows(
  values: Uint8Array,
  shape: readonly number[],
  { axis, of }: Gather,
  dtype: FixedSizeType,
  out: Uint8Array,
): Generator<void> {
  const { itemSize } = dtype;
  const inner = sizeOf(shape.slice(axis + 1)) * itemSize;
  const [count, outer] = [shape[axis], sizeOf(shape.slice(0, axis))];
  if (values.length !== outer * count * inner || out.length !== outer * of.length * inner)
    throw new RangeError(
      `cannot gather ${values.length} bytes of the shape ${shape.join('x')} into ${out.length}`,
    );
  const access = numberAccess(dtype.name);
  const missing = access === undefined ? new Uint8Array(itemSize) : missingBytes(access);
  const row = of.includes(-1) ? new Uint8Array(inner) : new Uint8Array(0);
  for (let i = 0; i < row.length; i += missing.length) row.set(missing, i);
  let since = 0;
  let at = 0;
  for (let k = 0; k < outer; k++)
    for (let i = 0; i < of.length; i++) {
      const position = of[i];
      if (!(position < count)) throw new RangeError(`position ${position} of ${count} is gathered`);
      const from = (k * count + position) * inner;
      if (position < 0) out.set(row, at);
      else if (inner <= 8) for (let byte = 0; byte < inner; byte++) out[at + byte] = values[from + byte];
      else out.set(values.subarray(from, from + inner), at);
      at += inner;
      // A row costs as much as some bytes.
      since += inner + 64;
      if (since < STEP_BYTES) continue;
      since = 0;
      yield;
    }
}
