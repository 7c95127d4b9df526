/** Reads the JSON of a chunk value by value, without the objects of the whole chunk. */
import type { ByteSink } from '../../../core/bytes/byte-sink.js';
import type { ItemStore } from '../../../core/bytes/items.js';
import type { JsonValue } from '../../../core/bytes/json.js';
import { CLOSE_LIST, COMMA, JsonReader, OPEN_LIST } from '../../../core/bytes/parse-json.js';
import { objectTooLarge } from '../../../core/dtype/json-contents.js';
import { CodecError, MetadataError } from '../../../core/errors.js';
import { metadataBounds } from '../../../core/limits.js';
import type { ValueReader } from './object-list.js';

const { maxObjectBytes } = metadataBounds;

export class JsonValues implements ValueReader {
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
export class JsonLists {
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
