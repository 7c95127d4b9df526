/** Refuses Python's pickle by name: loading a pickle executes code from it. */
import { UnsupportedError } from '../../errors.js';
import type { ArrayToBytesCodec } from '../codec.js';

export const pickleCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'pickle',
  create() {
    throw new UnsupportedError(
      'codec "pickle": refused on purpose, since reading a pickle runs code from it; write the array again with "vlen-utf8", "json2" or another codec for objects',
    );
  },
};
