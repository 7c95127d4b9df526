/** numcodecs' `msgpack2`: a chunk of Python objects as MessagePack. */
import { ByteSink } from '../../../core/bytes/byte-sink.js';
import type { ItemStore } from '../../../core/bytes/items.js';
import { writeListHead, writeMsgpack, MsgpackReader } from '../../../core/bytes/msgpack.js';
import { parseJson } from '../../../core/bytes/parse-json.js';
import { contentsOfJson } from '../../../core/dtype/json-contents.js';
import { CodecError, UnsupportedError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions, readBoolean } from '../configuration.js';
import { atMost } from '../size.js';
import {
  checkListedType,
  checkStored,
  readObjectList,
  writeNested,
  type ValueReader,
  type ChunkElement,
  chunkElements,
} from './object-list.js';

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

/** Reads the MessagePack of a chunk value by value. */
class MsgpackValues implements ValueReader {
  readonly #reader: MsgpackReader;
  readonly #length: number;
  /** For each open list, the number of remaining entries. */
  readonly #lists: number[] = [];

  /** @param raw whether texts are returned as bytes */
  constructor(bytes: Uint8Array, raw: boolean) {
    this.#reader = new MsgpackReader(bytes, raw);
    this.#length = bytes.length;
  }

  get at(): number {
    return this.#reader.at;
  }

  set at(at: number) {
    this.#reader.at = at;
  }

  get isAtEnd(): boolean {
    return this.at === this.#length;
  }

  enter(): boolean {
    const count = this.#reader.openList();
    if (count === undefined) return false;
    // A value takes at least one byte.
    if (count > this.#length - this.at)
      throw new CodecError(`codec "msgpack2": ${count} values are declared, but too few bytes remain`);
    this.#lists.push(count);
    return true;
  }

  next(): boolean {
    const left = this.#lists.pop() ?? 0;
    if (left === 0) return false;
    this.#lists.push(left - 1);
    return true;
  }

  skip(): void {
    this.#reader.skip();
  }

  value(): unknown {
    return this.#reader.read(metadataBounds.maxObjectBytes);
  }

  jsonItem(items: ItemStore, i: number): void {
    items.set(i, contentsOfJson(this.value()));
  }
}

/** Rejects Python's pickle, because unpickling executes code from the chunk. */
export const pickleCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'pickle',
  create() {
    throw new UnsupportedError(
      'codec "pickle" is not supported, because unpickling executes code from the chunk; rewrite the array with "vlen-utf8" or "json2"',
    );
  },
};
