/** numcodecs' `json2`: a chunk of Python objects as JSON. */
import { ByteSink } from '../../../core/bytes/byte-sink.js';
import type { ItemStore } from '../../../core/bytes/items.js';
import type { JsonValue } from '../../../core/bytes/json.js';
import { parseJson } from '../../../core/bytes/parse-json.js';
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

// Reads the JSON of a chunk value by value. The structure is scanned in the bytes, and values are converted
// to text and objects one at a time.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const { maxObjectBytes } = metadataBounds;

class JsonValues implements ValueReader {
  at: number;
  readonly #bytes: Uint8Array;
  /** For each open list, whether it is still at its start. */
  readonly #lists: boolean[] = [];

  /** @param bytes UTF-8; a leading byte order mark is skipped */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  get isAtEnd(): boolean {
    this.#skipSpace();
    return this.at === this.#bytes.length;
  }

  enter(): boolean {
    this.#skipSpace();
    if (this.#bytes[this.at] !== OPEN_LIST) return false;
    this.at++;
    this.#lists.push(true);
    return true;
  }

  next(): boolean {
    this.#skipSpace();
    const isFirst = this.#lists[this.#lists.length - 1] ?? true;
    const byte = this.#bytes[this.at];
    if (byte === CLOSE_LIST) {
      this.at++;
      this.#lists.pop();
      return false;
    }
    if (!isFirst) {
      if (byte !== COMMA) throw this.#broken('a "," or "]" is missing');
      this.at++;
      this.#skipSpace();
    }
    this.#lists[this.#lists.length - 1] = false;
    return true;
  }

  skip(): void {
    this.#skipValue(Infinity);
  }

  value(): JsonValue {
    const start = this.at;
    this.#skipValue(maxObjectBytes);
    try {
      return parseJson(this.#bytes.subarray(start, this.at));
    } catch (cause) {
      if (cause instanceof MetadataError)
        throw new CodecError(
          `codec "json2": the chunk is not valid JSON: at byte ${start}, ${cause.detail}`,
          { cause },
        );
      throw cause;
    }
  }

  /** Appends the text unchanged, after validating it. */
  jsonItem(items: ItemStore, i: number): void {
    const start = this.at;
    this.value();
    items.refer(i, items.append(this.#bytes, start, this.at), this.at - start);
  }

  /** Finds the end of a value from its brackets and quotes. */
  #skipValue(maxBytes: number): void {
    const bytes = this.#bytes;
    const start = this.at;
    // One more byte, to detect a longer value.
    const last = Math.min(bytes.length, start + maxBytes + 1);
    let depth = 0;
    let at = start;
    for (; at < last; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        for (at++; at < last && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        if (at >= last) break;
        if (depth === 0) {
          at++;
          break;
        }
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (depth === 0) break;
        if (--depth === 0) {
          at++;
          break;
        }
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) break;
    }
    if (at >= last && last < bytes.length) throw objectTooLarge(at - start);
    this.at = Math.min(at, bytes.length);
    if (this.at === start)
      throw this.#broken(start === bytes.length ? 'unexpected end of the text' : 'a value is missing');
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.at])) this.at++;
  }

  #broken(problem: string): CodecError {
    return new CodecError(`codec "json2": the chunk is not valid JSON: at byte ${this.at}, ${problem}`);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
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
