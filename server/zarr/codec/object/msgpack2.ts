/** numcodecs' `msgpack2`: a chunk of Python objects as MessagePack. */
import { ByteSink } from '../../bytes/byte-sink.js';
import { writeListHead, writeMsgpack } from '../../bytes/msgpack.js';
import { parseJson } from '../../bytes/parse-json.js';
import { LimitError } from '../../errors.js';
import { type ChunkElement, chunkElements } from './chunk-elements.js';
import type { ArrayToBytesCodec } from '../codec.js';
import { checkOptions, readBoolean } from '../configuration.js';
import { MsgpackValues } from './msgpack-values.js';
import { checkListedType, readObjectList, writeNested } from './object-list.js';
import { atMost } from '../size.js';

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
    return readObjectList('msgpack2', new MsgpackValues(bytes, raw), rep);
  },

  encode(_configuration, values, rep) {
    const sink = new ByteSink();
    const elements = chunkElements('msgpack2', values, rep);
    writeListHead((rep.shape[0] ?? 1) + 2, sink);
    writeNested(
      {
        openList: (length) => writeListHead(length, sink),
        closeList: () => undefined,
        element: (i) => writeMsgpack(valueOf(elements.at(i)), sink),
      },
      rep.shape,
    );
    writeMsgpack(elements.typestr, sink);
    writeMsgpack(rep.shape, sink);
    return sink.bytes;
  },
};

function valueOf(element: ChunkElement): unknown {
  return 'json' in element ? parseJson(element.json) : element.value;
}
