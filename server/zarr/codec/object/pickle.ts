/** Python's pickle runs code while it is read. It is refused by name, so that nobody looks for a plug-in. */
import { UnsupportedError } from '../../errors.js';
import type { BindCodec } from '../codec.js';

export const refusePickle: BindCodec = () => {
  throw new UnsupportedError(
    'codec "pickle": refused on purpose, since reading a pickle runs code from it; write the array again with "vlen-utf8", "json2" or another codec for objects',
  );
};
