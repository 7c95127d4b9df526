/** Sort keys: unsigned integers in the order of the values, so that ranks can be found digit by digit. */
import { fixedItemSize } from '../../core/dtype/data-type.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { integerOf, type Planes } from '../number-planes.js';

/** Keys of the values that are not missing. */
export interface SortKeys {
  readonly count: number;
  /** Upper words of the keys. Keys of less than 32 bits are shifted to the upper end. */
  readonly high: Uint32Array;
  /** The lower words of 64-bit keys. */
  readonly low: Uint32Array;
}

const SIGN = 0x8000_0000;

/** Number of bits of a data type's keys. */
export function keyBits(dtype: DataType): number {
  // float16 values are widened to float32, so they have its bits and order.
  return dtype.name === 'float16' ? 32 : 8 * fixedItemSize(dtype);
}

/** Computes keys. Reuses its memory for each call of `read`. */
export class KeyReader {
  readonly #name: DataType['name'];
  readonly #shift: number;
  readonly #isFloat: boolean;
  #floats: Float32Array = new Float32Array(0);
  #high: Uint32Array = new Uint32Array(0);
  #low: Uint32Array = new Uint32Array(0);

  constructor(dtype: DataType) {
    const bits = keyBits(dtype);
    this.#name = dtype.name;
    this.#shift = Math.max(0, 32 - bits);
    this.#isFloat = dtype.name.startsWith('float') && bits === 32;
  }

  /** @returns keys that are valid until the next call */
  read({ first, second }: Planes, count: number): SortKeys {
    if (this.#high.length < count) {
      this.#high = new Uint32Array(count);
      this.#low = new Uint32Array(count);
      this.#floats = new Float32Array(this.#isFloat ? count : 0);
    }
    const present = this.#fill(first, second, count);
    return { count: present, high: this.#high, low: this.#low };
  }

  #fill(first: Float64Array, second: Float64Array | undefined, count: number): number {
    if (second !== undefined)
      return wordKeys(first, second, count, this.#name === 'uint64' ? 0 : SIGN, this.#high, this.#low);
    if (this.#name === 'float64') return doubleKeys(first, count, this.#high, this.#low);
    if (!this.#isFloat)
      return integerKeys(first, count, this.#shift, this.#name.startsWith('int') ? SIGN : 0, this.#high);
    this.#floats.set(first.subarray(0, count));
    return floatKeys(new Uint32Array(this.#floats.buffer, 0, count), this.#high);
  }
}

function integerKeys(
  values: Float64Array,
  count: number,
  shift: number,
  sign: number,
  keys: Uint32Array,
): number {
  for (let i = 0; i < count; i++) keys[i] = (values[i] << shift) ^ sign;
  return count;
}

function floatKeys(items: Uint32Array, keys: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    const bits = items[i];
    // The bits of NaN are greater than those of infinity.
    if ((bits & 0x7fff_ffff) > 0x7f80_0000) continue;
    keys[count++] = bits >= SIGN ? ~bits : bits ^ SIGN;
  }
  return count;
}

function doubleKeys(values: Float64Array, count: number, high: Uint32Array, low: Uint32Array): number {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
  let present = 0;
  for (let i = 0; i < words.length; i += 2) {
    const lower = words[i];
    const upper = words[i + 1];
    const size = upper & 0x7fff_ffff;
    if (size > 0x7ff0_0000 || (size === 0x7ff0_0000 && lower !== 0)) continue;
    high[present] = upper >= SIGN ? ~upper : upper ^ SIGN;
    low[present++] = upper >= SIGN ? ~lower : lower;
  }
  return present;
}

function wordKeys(
  highs: Float64Array,
  lows: Float64Array,
  count: number,
  sign: number,
  high: Uint32Array,
  low: Uint32Array,
): number {
  let present = 0;
  for (let i = 0; i < count; i++) {
    const upper = highs[i];
    if (upper !== upper) continue;
    high[present] = upper ^ sign;
    low[present++] = lows[i];
  }
  return present;
}

/** The value of a key; a bigint for 64-bit integers and times. */
export function valueOfKey(dtype: DataType, high: number, low: number): number | bigint {
  const { name } = dtype;
  if (name === 'float64') {
    const words = Uint32Array.of(high < SIGN ? ~low : low, floatBits(high));
    return new Float64Array(words.buffer)[0];
  }
  if (name.startsWith('float')) return new Float32Array(Uint32Array.of(floatBits(high)).buffer)[0];
  if (keyBits(dtype) === 64) return integerOf(name === 'uint64' ? high : (high ^ SIGN) | 0, low);
  const shift = 32 - keyBits(dtype);
  return name.startsWith('int') ? (high ^ SIGN) >> shift : high >>> shift;
}

function floatBits(key: number): number {
  return (key >= SIGN ? key ^ SIGN : ~key) >>> 0;
}
