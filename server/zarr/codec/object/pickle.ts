/** Rejects Python's pickle, because unpickling executes code from the chunk. */
import { UnsupportedError } from '../../errors.js';
import type { ArrayToBytesCodec } from '../codec.js';

export const pickleCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'pickle',
  create() {
    throw new UnsupportedError(
      'codec "pickle" is not supported, because unpickling executes code from the chunk; rewrite the array with "vlen-utf8" or "json2"',
    );
  },
};
