/** numcodecs' `msgpack2`: a chunk of Python objects as MessagePack. */
import { LimitError } from '../errors.js';
import type { ArrayToBytesCodec } from './codec.js';
import { checkOptions, readBoolean } from './configuration.js';
import { decodeMsgpack, encodeMsgpack } from './msgpack.js';
import { checkListedType, listOfValues, valuesOfList } from './object-list.js';
import { atMost } from './size.js';

export interface Msgpack2Configuration {
  /** Whether texts are read as bytes. */
  readonly raw: boolean;
}

export const msgpack2Codec: ArrayToBytesCodec<Msgpack2Configuration> = {
  kind: 'array-to-bytes',
  name: 'msgpack2',
  parse(configuration, rep) {
    checkOptions('msgpack2', configuration, ['raw', 'use_bin_type', 'use_single_float']);
    checkListedType('msgpack2', rep);
    return { raw: readBoolean('msgpack2', configuration, 'raw', false) };
  },
  encodedSize: () => atMost(Infinity),

  decode({ raw }, bytes, rep, limit) {
    if (bytes.length > limit)
      throw new LimitError(`codec "msgpack2": the chunk has ${bytes.length} bytes, ${limit} are allowed`, {
        excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: bytes.length }],
      });
    return valuesOfList('msgpack2', decodeMsgpack(bytes, raw), rep);
  },

  encode(_configuration, values, rep) {
    return encodeMsgpack(listOfValues('msgpack2', values, rep));
  },
};
