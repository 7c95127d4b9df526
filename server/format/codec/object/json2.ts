/** numcodecs' `json2`: a chunk of Python objects as JSON. */
import { ByteSink } from '../../../core/bytes/byte-sink.js';
import type { ItemStore } from '../../../core/bytes/items.js';
import type { JsonValue } from '../../../core/bytes/json.js';
import { CLOSE_LIST, COMMA, JsonReader, OPEN_LIST } from '../../../core/bytes/parse-json.js';
import { printJson } from '../../../core/bytes/print-json.js';
import { encodeUtf8 } from '../../../core/bytes/text.js';
import { objectTooLarge } from '../../../core/dtype/json-contents.js';
import { InputError, UnsupportedError, CodecError, MetadataError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions } from '../configuration.js';
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

/** Options of Python's `json` module. All except `encoding` are ignored. */
const knownOptions = [
  'encoding', 'skipkeys', 'ensure_ascii', 'check_circular', 'allow_nan', 'sort_keys', 'indent', 'separators', 'strict',
]; // prettier-ignore

export const json2Codec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'json2',
  create(configuration, rep) {
    checkOptions('json2', configuration, knownOptions);
    checkListedType('json2', rep);
    const encoding = configuration['encoding'] ?? 'utf-8';
    if (encoding !== 'utf-8' && encoding !== 'utf8' && encoding !== 'ascii')
      throw new UnsupportedError(
        `codec "json2": unsupported encoding ${JSON.stringify(encoding)}; expected utf-8 or ascii`,
      );
    return {
      encodedSize: atMost(Infinity),
      decode(bytes, limit) {
        checkStored('json2', bytes, limit, 'bytes of JSON');
        return readObjectList('json2', new JsonValues(bytes), rep);
      },
      encode: (values) => encodeChunkAsJson(values, rep),
    };
  },
};

function encodeChunkAsJson(values: ChunkValues, rep: ChunkRep): Uint8Array {
  const sink = new ByteSink();
  const lists = new JsonLists(sink);
  const elements = chunkElements('json2', values, rep);
  lists.openList();
  writeNested(
    {
      openList: () => lists.openList(),
      closeList: () => lists.closeList(),
      element: (i) => lists.entry(elementText(elements.at(i), i)),
    },
    rep.shape,
  );
  lists.entry(encodeUtf8(printJson(elements.typestr)));
  lists.entry(encodeUtf8(printJson(rep.shape)));
  lists.closeList();
  return sink.bytes;
}

function elementText(element: ChunkElement, i: number): Uint8Array {
  if ('json' in element) return element.json;
  const { value } = element;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return encodeUtf8(printJson(value));
    default:
      if (value === null) return encodeUtf8('null');
      throw new InputError(`codec "json2": element ${i} contains bytes, which JSON cannot represent`);
  }
}

// Reads the JSON of a chunk value by value, without the objects of the whole chunk.

const { maxObjectBytes } = metadataBounds;

class JsonValues implements ValueReader {
  readonly #reader: JsonReader;
  /** For each open list, whether it is still at its start. */
  readonly #lists: boolean[] = [];

  /** @param bytes UTF-8; a leading byte order mark is skipped */
  constructor(bytes: Uint8Array) {
    this.#reader = new JsonReader(bytes);
  }

  get at(): number {
    return this.#reader.at;
  }

  set at(at: number) {
    this.#reader.at = at;
  }

  get isAtEnd(): boolean {
    return this.#reader.peek() === undefined;
  }

  enter(): boolean {
    if (this.#reader.peek() !== OPEN_LIST) return false;
    this.#reader.at++;
    this.#lists.push(true);
    return true;
  }

  next(): boolean {
    const reader = this.#reader;
    const isFirst = this.#lists[this.#lists.length - 1] ?? true;
    if (reader.peek() === CLOSE_LIST) {
      reader.at++;
      this.#lists.pop();
      return false;
    }
    if (!isFirst) withinChunk(() => reader.take(COMMA));
    reader.peek();
    this.#lists[this.#lists.length - 1] = false;
    return true;
  }

  skip(): void {
    withinChunk(() => this.#reader.skip(Infinity));
  }

  value(): JsonValue {
    const { at } = this;
    // One more byte, to detect a longer value.
    const until = at + maxObjectBytes + 1;
    const value = withinChunk(() => this.#reader.value(until));
    if (value === undefined || this.at >= until) throw objectTooLarge(this.at - at);
    return value;
  }

  /** Appends the text unchanged, after validating it. */
  jsonItem(items: ItemStore, i: number): void {
    const start = this.at;
    this.value();
    items.refer(i, items.append(this.#reader.bytes, start, this.at), this.at - start);
  }
}

/** @throws CodecError for invalid JSON */
function withinChunk<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof MetadataError)) throw cause;
    throw new CodecError(`codec "json2": the chunk is ${cause.detail}`, { cause });
  }
}

const open = Uint8Array.of(OPEN_LIST);
const close = Uint8Array.of(CLOSE_LIST);
const comma = Uint8Array.of(COMMA);

/** Writes lists as JSON text. */
class JsonLists {
  readonly #sink: ByteSink;
  #isFirst = true;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  openList(): void {
    this.entry(open);
    this.#isFirst = true;
  }

  closeList(): void {
    this.#sink.push(close);
    this.#isFirst = false;
  }

  entry(text: Uint8Array): void {
    if (!this.#isFirst) this.#sink.push(comma);
    this.#sink.push(text);
    this.#isFirst = false;
  }
}
