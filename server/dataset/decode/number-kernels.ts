/** Loops over numbers: one statement an element, on two kinds of arrays only, so that engines compile them well. */
import { dataOf, type Block } from '../../zarr/index.js';

export type Floats = Float32Array | Float64Array;

type IntegerName = 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64';
export type RealName = IntegerName | 'float16' | 'float32' | 'float64';

/** The values of a block of `name` as new floats; float64 is exact but for integers beyond 2^53, which are rounded. */
export function toFloats(block: Block, name: RealName, as: 'float32' | 'float64'): Floats {
  switch (name) {
    case 'int64':
    case 'uint64':
      return floatsOfLongs(wordsOf(dataOf(block, name)), name === 'int64', as);
    case 'float16':
      // Already a copy, since it had to be widened.
      return as === 'float32' ? dataOf(block, name) : Float64Array.from(dataOf(block, name));
    default: {
      const source = dataOf(block, name);
      const floats = as === 'float32' ? new Float32Array(source.length) : new Float64Array(source.length);
      floats.set(source);
      return floats;
    }
  }
}

/** 64-bit integers as pairs of low and high words, which cost no bigints. */
export function wordsOf(longs: BigInt64Array | BigUint64Array): Int32Array {
  return new Int32Array(longs.buffer, longs.byteOffset, longs.length * 2);
}

function floatsOfLongs(words: Int32Array, isSigned: boolean, as: 'float32' | 'float64'): Floats {
  const count = words.length / 2;
  const floats = as === 'float32' ? new Float32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const high = words[2 * i + 1] ?? 0;
    // The high word is exact, so that the sum is rounded once.
    floats[i] = (isSigned ? high : high >>> 0) * 4_294_967_296 + ((words[2 * i] ?? 0) >>> 0);
  }
  return floats;
}

/** NaN in place of each value that equals one of `missing`. */
export function maskEqual(floats: Floats, missing: readonly number[]): void {
  for (const value of missing)
    for (let i = 0; i < floats.length; i++) if (floats[i] === value) floats[i] = NaN;
}

/** NaN in `floats` where the 64-bit integer of the same place equals `missing`: exact, also beyond 2^53. */
export function maskEqualLongs(floats: Floats, words: Int32Array, missing: bigint): void {
  const low = Number(BigInt.asIntN(32, missing));
  const high = Number(BigInt.asIntN(32, missing >> 32n));
  for (let i = 0; i < floats.length; i++)
    if (words[2 * i] === low && words[2 * i + 1] === high) floats[i] = NaN;
}

/** NaN in place of what lies outside; the bounds are inside. */
export function maskOutside(floats: Floats, min: number, max: number): void {
  for (let i = 0; i < floats.length; i++) {
    const value = floats[i] ?? 0;
    if (value < min || value > max) floats[i] = NaN;
  }
}

/** value * scale, then + offset. Operands and results are rounded to the array's type, as NumPy does. */
export function scaleAndShift(floats: Floats, scale: number | undefined, offset: number | undefined): void {
  if (floats instanceof Float32Array) {
    // A product of two float32 is exact in a number, so storing it rounds once.
    if (scale !== undefined) {
      const factor = Math.fround(scale);
      for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) * factor;
    }
    if (offset !== undefined) {
      const shift = Math.fround(offset);
      for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) + shift;
    }
    return;
  }
  if (scale !== undefined && offset !== undefined)
    for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) * scale + offset;
  else if (scale !== undefined) for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) * scale;
  else if (offset !== undefined)
    for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) + offset;
}
