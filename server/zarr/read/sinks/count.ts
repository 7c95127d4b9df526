/** Counts elements that are not missing: not NaN, NaT or null. */
import { MISSING } from '../../bytes/items.js';
import type { DataType } from '../../dtype/data-type.js';
import type { ElementRun } from './elements.js';
import type { Reduction } from './reduction.js';

export const count: Reduction<number, number> = {
  empty: 0,
  ofElements: (run, dtype) => run.count - countMissing(run, dtype),
  ofRepeated: (run, times, dtype) => times * (run.count - countMissing(run, dtype)),
  isPartial: (value) => typeof value === 'number',
  merge: (a, b) => a + b,
  finish: (total) => total,
};

function countMissing({ values, count: length }: ElementRun, dtype: DataType): number {
  if ('items' in values) return countWhere(values.items.lengths, (item) => item === MISSING);
  const { buffer, byteOffset } = values.bytes;
  switch (dtype.name) {
    case 'float16':
      // All bits of the exponent, and some of the fraction.
      return countWhere(new Uint16Array(buffer, byteOffset, length), (bits) => (bits & 0x7fff) > 0x7c00);
    case 'float32':
      return countNaN(new Float32Array(buffer, byteOffset, length));
    case 'float64':
      return countNaN(new Float64Array(buffer, byteOffset, length));
    case 'complex64':
      return countNaNPairs(new Float32Array(buffer, byteOffset, 2 * length));
    case 'complex128':
      return countNaNPairs(new Float64Array(buffer, byteOffset, 2 * length));
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return countNaT(new Int32Array(buffer, byteOffset, 2 * length));
    default:
      return 0;
  }
}

function countWhere(values: Uint16Array | Uint32Array, is: (value: number) => boolean): number {
  let found = 0;
  for (const value of values) if (is(value)) found++;
  return found;
}

/** NaT is -2^63. @param words lower and upper half of each time */
function countNaT(words: Int32Array): number {
  let found = 0;
  for (let i = 0; i < words.length; i += 2) {
    if (words[i] === 0 && words[i + 1] === -0x80000000) found++;
  }
  return found;
}

function countNaN(values: Float32Array | Float64Array): number {
  let found = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value !== value) found++;
  }
  return found;
}

/** A complex number is NaN if one of its parts is. */
function countNaNPairs(values: Float32Array | Float64Array): number {
  let found = 0;
  for (let i = 0; i < values.length; i += 2) {
    const [real, imaginary] = [values[i], values[i + 1]];
    if (real !== real || imaginary !== imaginary) found++;
  }
  return found;
}
