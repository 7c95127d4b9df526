/** numcodecs' `fixedscaleoffset` and `quantize`: floats with reduced precision. */
import { readInteger, readNumber, readBufferType } from '../configuration.js';
import { type Filter, realName } from './filter.js';
import {
  type FilterNumber,
  type FloatName,
  floatNames,
  integerNames,
  isBig,
  isFloatName,
  makeSmall,
  type Numbers,
  rounderOf,
  roundHalfEven,
} from './numbers.js';
import { castNumbers } from './cast-numbers.js';

const numericTypes = [...integerNames, ...floatNames];

/** Stored: round((x - offset) * scale). */
export const fixedScaleOffsetFilter: Filter = {
  name: 'fixedscaleoffset',
  options: ['offset', 'scale', 'dtype', 'astype'],
  absentType: 'array',
  bind(configuration, input) {
    const name = 'fixedscaleoffset';
    const offset = readNumber(name, configuration, 'offset');
    const scale = readNumber(name, configuration, 'scale');
    const decoded = readBufferType(name, configuration, 'dtype', numericTypes, input);
    const encoded = readBufferType(name, configuration, 'astype', numericTypes, decoded);
    const [from, to] = [realName(decoded.dtype.name), realName(encoded.dtype.name)];
    return {
      decoded,
      encoded,
      decode(values) {
        const float = computedIn(to);
        const round = rounderOf(float);
        const [by, plus] = [round(scale), round(offset)];
        const result = mapped(castNumbers(values, to, float), float, (v) => round(round(v / by) + plus));
        return castNumbers(result, float, from);
      },
      encode(values) {
        if (isBig(values) && Number.isSafeInteger(scale) && Number.isSafeInteger(offset))
          return castNumbers(scaledBig(values, BigInt(offset), BigInt(scale)), from, to);
        const float = computedIn(from);
        const round = rounderOf(float);
        const [by, minus] = [round(scale), round(offset)];
        const result = mapped(castNumbers(values, from, float), float, (v) =>
          roundHalfEven(round(round(v - minus) * by)),
        );
        return castNumbers(result, float, to);
      },
    };
  },
};

/** Stored: x rounded to a multiple of the power of two that keeps `digits` decimal digits. */
export const quantizeFilter: Filter = {
  name: 'quantize',
  options: ['digits', 'dtype', 'astype'],
  absentType: 'array',
  bind(configuration, input) {
    const digits = readInteger('quantize', configuration, 'digits', { min: -300, max: 300 });
    const decoded = readBufferType('quantize', configuration, 'dtype', floatNames, input);
    const encoded = readBufferType('quantize', configuration, 'astype', floatNames, decoded);
    const [from, to] = [realName(decoded.dtype.name), realName(encoded.dtype.name)];
    const bits = Math.ceil(digits * Math.log2(10));
    return {
      decoded,
      encoded,
      decode: (values) => castNumbers(values, to, from),
      encode(values) {
        const float = computedIn(from);
        const round = rounderOf(float);
        const scale = round(2 ** bits);
        const result = mapped(values, float, (v) => round(roundHalfEven(round(scale * v)) / scale));
        return castNumbers(result, from, to);
      },
    };
  },
};

/** The type in which NumPy computes: floats in their precision, and integers in double precision. */
function computedIn(name: FilterNumber): FloatName {
  return isFloatName(name) ? name : 'float64';
}

function mapped(values: Numbers, name: FloatName, map: (value: number) => number): Numbers {
  const result = makeSmall(name, values.length);
  if (isBig(values)) return result;
  for (let i = 0; i < values.length; i++) result[i] = map(values[i]);
  return result;
}

/** Scales 64-bit integers exactly, without conversion to floats. */
function scaledBig(values: BigInt64Array | BigUint64Array, offset: bigint, scale: bigint): Numbers {
  const result =
    values instanceof BigInt64Array ? new BigInt64Array(values.length) : new BigUint64Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = (values[i] - offset) * scale;
  return result;
}
