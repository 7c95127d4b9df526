/** numcodecs' `msgpack2`: a chunk of Python objects as MessagePack. */
import { ByteSink } from '../../bytes/byte-sink.js';
import { writeListHead, writeMsgpack } from '../../bytes/msgpack.js';
import { parseJson } from '../../bytes/parse-json.js';
import { type ChunkElement, chunkElements } from './chunk-elements.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions, readBoolean } from '../configuration.js';
import { MsgpackValues } from './msgpack-values.js';
import { checkListedType, checkStored, readObjectList, writeNested } from './object-list.js';
import { atMost } from '../size.js';

export const msgpack2Codec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'msgpack2',
  create(configuration, rep) {
    checkOptions('msgpack2', configuration, ['raw', 'use_bin_type', 'use_single_float']);
    checkListedType('msgpack2', rep);
    // Whether texts are read as bytes.
    const raw = readBoolean('msgpack2', configuration, 'raw', false);
    return {
      encodedSize: atMost(Infinity),
      decode(bytes, limit) {
        checkStored('msgpack2', bytes, limit);
        return readObjectList('msgpack2', new MsgpackValues(bytes, raw), rep);
      },
      encode: (values) => encodeChunkAsMsgpack(values, rep),
    };
  },
};

function encodeChunkAsMsgpack(values: ChunkValues, rep: ChunkRep): Uint8Array {
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
}

function valueOf(element: ChunkElement): unknown {
  return 'json' in element ? parseJson(element.json) : element.value;
}
