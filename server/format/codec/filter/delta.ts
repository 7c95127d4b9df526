/** numcodecs' `delta`: the first value, then differences between neighbours. */
import { type Filter, realName } from './filter.js';
import {
  type FilterNumber,
  type FloatName,
  floatNames,
  integerNames,
  isBig,
  isFloatName,
  makeNumbers,
  type Numbers,
  rounderOf,
} from './numbers.js';
import { castNumbers } from './cast-numbers.js';
import { readBufferType } from '../configuration.js';

const numericTypes = [...integerNames, ...floatNames];

export const deltaFilter: Filter = {
  name: 'delta',
  options: ['dtype', 'astype'],
  bind(configuration, input) {
    const decoded = readBufferType('delta', configuration, 'dtype', numericTypes, input);
    const encoded = readBufferType('delta', configuration, 'astype', numericTypes, decoded);
    const [from, to] = [realName(decoded.dtype.name), realName(encoded.dtype.name)];
    // Like `np.cumsum` into an array of the decoded type: sums in the common type.
    const sum = isFloatName(from) || isFloatName(to) ? widerFloat(from, to) : from;
    return {
      decoded,
      encoded,
      decode: (values) => castNumbers(cumulated(castNumbers(values, to, sum), sum), sum, from),
      encode: (values) => castNumbers(differences(values, from), from, to),
    };
  },
};

/** The smallest float type that NumPy promotes both to. */
function widerFloat(a: FilterNumber, b: FilterNumber): FloatName {
  const bits = (name: FilterNumber): number => {
    if (isFloatName(name)) return Number(name.slice('float'.length));
    const width = /\d+$/.exec(name)?.[0] ?? '8';
    return Math.min(64, 2 * Number(width));
  };
  const most = Math.max(bits(a), bits(b));
  return most === 64 ? 'float64' : most === 32 ? 'float32' : 'float16';
}

function cumulated(values: Numbers, name: FilterNumber): Numbers {
  if (isBig(values)) {
    const result = name === 'int64' ? new BigInt64Array(values.length) : new BigUint64Array(values.length);
    let sum = 0n;
    for (let i = 0; i < values.length; i++) {
      result[i] = sum + values[i];
      sum = result[i];
    }
    return result;
  }
  const result = makeNumbers(name, values.length);
  if (isBig(result)) return result;
  const round = name === 'float16' ? rounderOf(name) : undefined;
  // Copies the first value, because 0 + -0 would be 0.
  for (let i = 0; i < values.length; i++) {
    const next = i === 0 ? values[0] : result[i - 1] + values[i];
    result[i] = round === undefined ? next : round(next);
  }
  return result;
}

function differences(values: Numbers, name: FilterNumber): Numbers {
  if (isBig(values)) {
    const result = name === 'int64' ? new BigInt64Array(values.length) : new BigUint64Array(values.length);
    for (let i = 0; i < values.length; i++) result[i] = values[i] - (i === 0 ? 0n : values[i - 1]);
    return result;
  }
  const result = makeNumbers(name, values.length);
  if (isBig(result)) return result;
  const round = name === 'float16' ? rounderOf(name) : undefined;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const next = i === 0 ? value : value - values[i - 1];
    result[i] = round === undefined ? next : round(next);
  }
  return result;
}
