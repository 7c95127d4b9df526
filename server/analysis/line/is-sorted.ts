/** Fast check that labels are sorted and none is missing. */
import type { LabelNumbers } from '../../dataset/labels/label-keys.js';

/** @returns false if the labels are unsorted or one may be missing; the caller then checks each label */
export function isSorted(numbers: LabelNumbers, isDescending: boolean): boolean {
  if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
    // Each count is compared as two 32-bit words: bigints are ten times as slow.
    const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
    return areWordsSorted(words, numbers instanceof BigInt64Array, isDescending);
  }
  return areNumbersSorted(
    numbers instanceof Float64Array ? numbers : new Float64Array(numbers),
    isDescending,
  );
}

function areNumbersSorted(numbers: Float64Array, isDescending: boolean): boolean {
  const sign = isDescending ? -1 : 1;
  let before = -Infinity;
  for (let i = 0; i < numbers.length; i++) {
    const number = sign * (numbers[i] ?? NaN);
    if (!(number >= before)) return false;
    before = number;
  }
  return true;
}

function areWordsSorted(words: Uint32Array, isSigned: boolean, isDescending: boolean): boolean {
  // Flips the sign bit, which maps signed to unsigned order.
  const sign = isSigned ? 0x8000_0000 : 0;
  let high = isDescending ? 0xffff_ffff : 0;
  let low = high;
  for (let i = 0; i < words.length; i += 2) {
    const lower = words[i] ?? 0;
    const upper = ((words[i + 1] ?? 0) ^ sign) >>> 0;
    // NaT.
    if (isSigned && upper === 0 && lower === 0) return false;
    if (upper === high ? (isDescending ? lower > low : lower < low) : upper > high === isDescending)
      return false;
    high = upper;
    low = lower;
  }
  return true;
}
