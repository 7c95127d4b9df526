/**
 * Parses the JSON of Zarr metadata without loss (RFC 8259, and Python's extensions):
 *
 * - integers beyond 2^53 - 1 become bigints; -0 keeps its sign; a number read as 2.0 is written as 2.0 again
 *   (`keepFloats`);
 * - bare NaN, Infinity and -Infinity are numbers (Python's json module writes them into attributes);
 * - duplicate keys in an object are rejected, because readers disagree on which one applies;
 * - size, depth, the number of keys of an object and the digits of an integer are bounded, so that hostile
 *   text only causes an error.
 *
 * A byte order mark at the start is skipped, as RFC 8259 section 8.1 permits.
 */
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { JsonScalars } from './json-scalars.js';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  MINUS,
  NINE,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
  quoted,
} from './json-syntax.js';
import { type JsonValue, emptyJsonObject, rememberFloat } from './json.js';

interface ParseJsonOptions {
  /** Maximum size in bytes (for strings: UTF-16 units). @default metadataBounds.maxDocumentBytes */
  readonly maxBytes?: number;
  /** Maximum nesting of lists and objects. @default metadataBounds.maxDepth */
  readonly maxDepth?: number;
}

/**
 * Parses a document of UTF-8 bytes.
 * @throws MetadataError if the text is not UTF-8; MetadataError with line and column if it is not JSON, has
 *   duplicate or too many keys, is nested too deeply or has an integer with too many digits; LimitError if it is
 *   too long
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  checkLength(bytes.length, options);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MetadataError('the JSON text is not valid UTF-8', { cause });
  }
  return parseJsonText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, options);
}

/** Like `parseJson`, for text that is already a string. @throws errors from `parseJson` */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): JsonValue {
  checkLength(text.length, options);
  return new JsonReader(text, options.maxDepth ?? metadataBounds.maxDepth).document();
}

/** Number of UTF-16 units parsed per step of `parseJsonSteps`. */
const STEP_UNITS = 16 * 1024;
/** Number of bytes decoded per step. */
const STEP_BYTES = 256 * 1024;

/**
 * Like `parseJson`, for long texts: yields every few tenths of a millisecond, so that the caller can pause.
 * @throws errors from `parseJson`
 */
export function* parseJsonSteps(
  bytes: Uint8Array,
  options: ParseJsonOptions = {},
): Generator<void, JsonValue, void> {
  checkLength(bytes.length, options);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      parts.push(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch (cause) {
    throw new MetadataError('the JSON text is not valid UTF-8', { cause });
  }
  const reader = new JsonReader(parts.join(''), options.maxDepth ?? metadataBounds.maxDepth);
  while (!reader.run(STEP_UNITS)) yield;
  return reader.value;
}

function checkLength(length: number, options: ParseJsonOptions): void {
  const allowed = options.maxBytes ?? metadataBounds.maxDocumentBytes;
  if (length <= allowed) return;
  throw new LimitError(`a JSON document has ${length} bytes; at most ${allowed} are allowed`, {
    excess: [{ limit: 'maxDocumentBytes', allowed, needed: length }],
  });
}

// Parses lists, objects and the document from a string. Uses an explicit stack, so that a long text can be
// parsed piece by piece.

const { maxKeys: MAX_KEYS } = metadataBounds;

/** State of the parser between calls of `run`. */
type Phase = 'start' | 'value' | 'key' | 'string' | 'keyString' | 'end';

/** A list or object that is not closed yet. */
interface Open {
  readonly list: JsonValue[] | undefined;
  readonly object: Record<string, JsonValue> | undefined;
  /** The key of the next value in an object. */
  key: string;
  keys: number;
}

export class JsonReader extends JsonScalars {
  readonly #maxDepth: number;
  #phase: Phase = 'start';
  readonly #outer: Open[] = [];
  #inner: Open | undefined;
  #result: JsonValue = null;

  constructor(text: string, maxDepth: number) {
    super(text);
    this.#maxDepth = maxDepth;
  }

  /** Parses the whole document. @throws MetadataError if it is not valid JSON */
  document(): JsonValue {
    this.run(Infinity);
    return this.#result;
  }

  /** The parsed value, after `run` has returned true. */
  get value(): JsonValue {
    return this.#result;
  }

  /**
   * Parses about `units` more UTF-16 units.
   * @returns whether the document is complete
   * @throws MetadataError if it is not valid JSON
   */
  run(units: number): boolean {
    const until = this.at + units;
    if (this.#phase === 'end') return true;
    if (this.#phase === 'start') {
      this.skipSpace();
      this.#phase = 'value';
    }
    for (;;) {
      if (this.at >= until && this.at < this.text.length) return false;
      const inKey = this.#phase === 'key' || this.#phase === 'keyString';
      if (inKey) {
        if (!this.#readKey(until)) return false;
        this.#phase = 'value';
        if (this.at >= until && this.at < this.text.length) return false;
      }
      const value = this.#readValue(until);
      if (value === undefined) {
        if (this.#phase === 'string') return false;
        continue;
      }
      if (this.#attach(value)) return true;
    }
  }

  /** @returns undefined if a list or object was opened, or a string continues beyond `until` */
  #readValue(until: number): JsonValue | undefined {
    if (this.#phase === 'string') return this.#readString(until);
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) {
      this.#phase = 'string';
      this.startString();
      return this.#readString(until);
    }
    if (code === OPEN_OBJECT) return this.#open(CLOSE_OBJECT);
    if (code === OPEN_LIST) return this.#open(CLOSE_LIST);
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.number();
    return this.word();
  }

  #readString(until: number): string | undefined {
    const text = this.string(until);
    if (text !== undefined) this.#phase = 'value';
    return text;
  }

  /** @returns undefined, or the list or object itself if it is empty */
  #open(close: number): JsonValue | undefined {
    if (this.#outer.length + (this.#inner === undefined ? 0 : 1) >= this.#maxDepth)
      throw this.error(`lists and objects are nested more than ${this.#maxDepth} levels deep`, this.at);
    this.at++;
    this.skipSpace();
    const isObject = close === CLOSE_OBJECT;
    const list: JsonValue[] | undefined = isObject ? undefined : [];
    const object = isObject ? emptyJsonObject() : undefined;
    if (this.text.charCodeAt(this.at) === close) {
      this.at++;
      return list ?? object;
    }
    if (this.#inner !== undefined) this.#outer.push(this.#inner);
    this.#inner = { list, object, key: '', keys: 0 };
    this.#phase = isObject ? 'key' : 'value';
    return undefined;
  }

  /** @returns false if the key continues beyond `until` */
  #readKey(until: number): boolean {
    if (this.#phase === 'key') {
      if (this.text.charCodeAt(this.at) !== QUOTE) throw this.unexpected('a key in double quotes');
      this.#phase = 'keyString';
      this.startString();
    }
    const key = this.string(until);
    if (key === undefined) return false;
    const object = this.#inner?.object;
    if (this.#inner === undefined || object === undefined) throw this.unexpected('a value');
    // Values are never undefined, so this comparison finds every earlier key.
    if (object[key] !== undefined)
      throw this.error(`the key ${quoted(key)} is repeated in an object`, this.stringAt);
    if (++this.#inner.keys > MAX_KEYS)
      throw this.error(`an object has more than ${MAX_KEYS} keys`, this.stringAt);
    this.#inner.key = key;
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected('":"');
    this.at++;
    this.skipSpace();
    return true;
  }

  /**
   * Adds a value to the open container, and closes containers that end with it.
   * @returns whether it is the whole document
   */
  #attach(first: JsonValue): boolean {
    let value = first;
    for (;;) {
      const inner = this.#inner;
      if (inner === undefined) return this.#finish(value);
      const { list, object } = inner;
      if (list !== undefined) {
        list.push(value);
        if (this.wasWholeFloat) this.#remember(list, String(list.length - 1));
      } else if (object !== undefined) {
        object[inner.key] = value;
        if (this.wasWholeFloat) this.#remember(object, inner.key);
      }
      this.skipSpace();
      const code = this.text.charCodeAt(this.at);
      if (code === COMMA) {
        this.at++;
        this.skipSpace();
        this.#phase = object === undefined ? 'value' : 'key';
        return false;
      }
      if (code !== (object === undefined ? CLOSE_LIST : CLOSE_OBJECT))
        throw this.unexpected(object === undefined ? '"," or "]"' : '"," or "}"');
      this.at++;
      value = list ?? object ?? null;
      this.#inner = this.#outer.pop();
    }
  }

  #finish(value: JsonValue): true {
    this.wasWholeFloat = false;
    this.skipSpace();
    if (this.at < this.text.length) throw this.unexpected('the end of the text');
    this.#result = value;
    this.#phase = 'end';
    return true;
  }

  #remember(container: object, key: string): void {
    rememberFloat(container, key);
    this.wasWholeFloat = false;
  }
}
