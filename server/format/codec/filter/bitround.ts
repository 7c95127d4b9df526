/**
 * `bitround` of numcodecs and of v3's registered extension: rounds the mantissa of floats, and integers from
 * their highest set bit, to fewer bits; ties to even. The rounded values are stored, so decoding changes
 * nothing.
 */
import { type NumberName, numberType } from '../../../core/dtype/data-type.js';
import { badOption, readInteger, type BufferType, readBufferType } from '../configuration.js';
import type { Filter } from './filter.js';
import { type BigNumbers, floatNames, integerNames, isBig, type Numbers } from './numbers.js';

const mantissaBits: Readonly<Partial<Record<NumberName, number>>> = {
  float16: 10,
  float32: 23,
  float64: 52,
};

export const bitRoundFilter: Filter = {
  name: 'bitround',
  // In numcodecs, bitround has no option `dtype`. Converted v2 metadata adds it to state the data type of
  // the buffer.
  options: ['keepbits', 'dtype'],
  bind(configuration, input) {
    const keep = readInteger('bitround', configuration, 'keepbits', { min: 0, max: 64 });
    const type = readBufferType('bitround', configuration, 'dtype', [...integerNames, ...floatNames], input);
    const mantissa = mantissaBits[type.dtype.name];
    if (mantissa !== undefined && keep > mantissa)
      throw badOption('bitround', 'keepbits', keep, `at most ${mantissa} for ${type.dtype.name}`);
    const bits = bitsType(type);
    return {
      decoded: bits,
      encoded: bits,
      decode: (values) => values,
      encode: (values) => rounded(values, keep, mantissa),
    };
  },
};

/** The unsigned integer type of the same width. */
function bitsType({ dtype, swaps }: BufferType): BufferType {
  const names = { 1: 'uint8', 2: 'uint16', 4: 'uint32' } as const;
  const { itemSize } = dtype;
  const name = itemSize === 1 || itemSize === 2 || itemSize === 4 ? names[itemSize] : 'uint64';
  return { dtype: numberType(name), swaps };
}

/** @param mantissa bits of a float's mantissa; undefined for integers */
function rounded(values: Numbers, keep: number, mantissa: number | undefined): Numbers {
  if (keep === mantissa) return values;
  if (isBig(values)) return roundedBig(values, keep, mantissa);
  const width = values.BYTES_PER_ELEMENT * 8;
  const most = 2 ** width - 1;
  const infinity = mantissa === 10 ? 0x7c00 : 0x7f800000;
  const result =
    width === 8 ? new Uint8Array(values) : width === 16 ? new Uint16Array(values) : new Uint32Array(values);
  for (let i = 0; i < result.length; i++) {
    const bits = result[i];
    // Keeps NaN, because a carry out of the mantissa would turn it into a number.
    if (mantissa !== undefined && bits % 2 ** (width - 1) > infinity) continue;
    const cut = (mantissa ?? 32 - Math.clz32(bits)) - keep;
    if (cut <= 0) continue;
    const quantum = 2 ** cut;
    const sum = bits + (Math.floor(bits / quantum) % 2) + quantum / 2 - 1;
    result[i] = Math.floor(Math.min(sum, most) / quantum) * quantum;
  }
  return result;
}

function roundedBig(values: BigNumbers, keep: number, mantissa: number | undefined): BigUint64Array {
  const result = new BigUint64Array(values.length);
  const most = 2n ** 64n - 1n;
  const infinity = 0x7ffn << 52n;
  for (let i = 0; i < result.length; i++) {
    const bits = BigInt.asUintN(64, values[i]);
    result[i] = bits;
    if (mantissa !== undefined && BigInt.asUintN(63, bits) > infinity) continue;
    const cut = BigInt((mantissa ?? bits.toString(2).length) - keep);
    if (cut <= 0n) continue;
    const sum = bits + ((bits >> cut) & 1n) + (1n << (cut - 1n)) - 1n;
    result[i] = ((sum > most ? most : sum) >> cut) << cut;
  }
  return result;
}
