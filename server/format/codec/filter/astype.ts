/** numcodecs' `astype`: the values in another data type. */
import { type Filter, realName } from './filter.js';
import { filterNumbers } from './numbers.js';
import { castNumbers } from './cast-numbers.js';
import { readBufferType } from '../configuration.js';

export const asTypeFilter: Filter = {
  name: 'astype',
  options: ['encode_dtype', 'decode_dtype'],
  absentType: 'array',
  bind(configuration, input) {
    const decoded = readBufferType('astype', configuration, 'decode_dtype', filterNumbers, input);
    const encoded = readBufferType('astype', configuration, 'encode_dtype', filterNumbers);
    const [from, to] = [realName(decoded.dtype.name), realName(encoded.dtype.name)];
    return {
      decoded,
      encoded,
      decode: (values) => castNumbers(values, to, from),
      encode: (values) => castNumbers(values, from, to),
    };
  },
};
