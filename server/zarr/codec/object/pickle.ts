/** Refuses Python's pickle: loading a pickle executes code from it. */
import { UnsupportedError } from '../../errors.js';
import type { ArrayToBytesCodec } from '../codec.js';

export const pickleCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'pickle',
  create() {
    throw new UnsupportedError(
      'codec "pickle" is refused: reading a pickle executes code from it; rewrite the array with "vlen-utf8", "json2" or another codec for objects',
    );
  },
};
