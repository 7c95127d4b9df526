/** Elements as float64 planes: one a value, or two where one cannot hold it (words of 64 bits, parts of complex numbers). */
import { widenHalves } from '../../../../wire/float16.js';
import { MISSING } from '../../bytes/items.js';
import type { DataType } from '../../dtype/data-type.js';
import type { ElementRun } from '../sinks/elements.js';

/** 2^32. */
export const WORD = 4_294_967_296;

export interface Widened {
  readonly planes: readonly Float64Array[];
  /** See `Piece`. */
  readonly present: Float64Array | undefined;
}

export function planesOf({ name }: DataType): 1 | 2 {
  return ['int64', 'uint64', 'complex64', 'complex128', 'numpy.datetime64', 'numpy.timedelta64'].includes(
    name,
  )
    ? 2
    : 1;
}

/** @returns new planes; those of types that are no numbers are empty */
export function widen({ values, count }: ElementRun, { name }: DataType): Widened {
  if ('items' in values) {
    const { lengths } = values.items;
    return { planes: [], present: presentWhere(count, (i) => lengths[i] !== MISSING) };
  }
  const { buffer, byteOffset } = values.bytes;
  switch (name) {
    case 'bool':
    case 'uint8':
      return plain(new Float64Array(new Uint8Array(buffer, byteOffset, count)));
    case 'int8':
      return plain(new Float64Array(new Int8Array(buffer, byteOffset, count)));
    case 'int16':
      return plain(new Float64Array(new Int16Array(buffer, byteOffset, count)));
    case 'uint16':
      return plain(new Float64Array(new Uint16Array(buffer, byteOffset, count)));
    case 'int32':
      return plain(new Float64Array(new Int32Array(buffer, byteOffset, count)));
    case 'uint32':
      return plain(new Float64Array(new Uint32Array(buffer, byteOffset, count)));
    case 'float16':
      return floats(new Float64Array(widenHalves(new Uint16Array(buffer, byteOffset, count))));
    case 'float32':
      return floats(new Float64Array(new Float32Array(buffer, byteOffset, count)));
    case 'float64':
      return floats(new Float64Array(new Float64Array(buffer, byteOffset, count)));
    case 'complex64':
      return complex(new Float32Array(buffer, byteOffset, 2 * count));
    case 'complex128':
      return complex(new Float64Array(buffer, byteOffset, 2 * count));
    case 'int64':
    case 'uint64':
      return plain(...words(new Int32Array(buffer, byteOffset, 2 * count), name === 'int64'));
    case 'numpy.datetime64':
    case 'numpy.timedelta64': {
      const [high, low] = words(new Int32Array(buffer, byteOffset, 2 * count), true);
      // NaT is -2^63.
      return {
        planes: [high, low],
        present: presentWhere(count, (i) => low[i] !== 0 || high[i] !== -0x80000000),
      };
    }
    default:
      return plain();
  }
}

function plain(...planes: Float64Array[]): Widened {
  return { planes, present: undefined };
}

function floats(values: Float64Array): Widened {
  return { planes: [values], present: presentWhere(values.length, (i) => values[i] === values[i]) };
}

/** A complex number is missing if one of its parts is NaN. */
function complex(parts: Float32Array | Float64Array): Widened {
  const count = parts.length / 2;
  const [real, imaginary] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    real[i] = parts[2 * i] ?? 0;
    imaginary[i] = parts[2 * i + 1] ?? 0;
  }
  const isPresent = (i: number): boolean => real[i] === real[i] && imaginary[i] === imaginary[i];
  return { planes: [real, imaginary], present: presentWhere(count, isPresent) };
}

/** Upper and lower half of 64-bit integers. */
function words(halves: Int32Array, isSigned: boolean): [high: Float64Array, low: Float64Array] {
  const count = halves.length / 2;
  const [high, low] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const upper = halves[2 * i + 1] ?? 0;
    high[i] = isSigned ? upper : upper >>> 0;
    low[i] = (halves[2 * i] ?? 0) >>> 0;
  }
  return [high, low];
}

function presentWhere(count: number, isPresent: (i: number) => boolean): Float64Array | undefined {
  let first = 0;
  while (first < count && isPresent(first)) first++;
  if (first === count) return undefined;
  const present = new Float64Array(count).fill(1, 0, first);
  for (let i = first; i < count; i++) present[i] = isPresent(i) ? 1 : 0;
  return present;
}
