/**
 * The parser of `parse-json.ts` for a string: lists, objects and the document. Uses an explicit stack, so
 * that a long text can be parsed piece by piece.
 */
import { metadataBounds } from '../limits.js';
import type { JsonValue } from './json.js';
import {
  CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, MINUS, NINE, OPEN_LIST, OPEN_OBJECT, QUOTE, ZERO,
} from './json-characters.js'; // prettier-ignore
import { quoted } from './json-error.js';
import { emptyJsonObject } from './json-object.js';
import { JsonScalars } from './json-scalars.js';
import { rememberFloat } from './whole-floats.js';

const { maxKeys: MAX_KEYS } = metadataBounds;

/** State of the parser between calls of `run`. */
type Phase = 'start' | 'value' | 'key' | 'string' | 'keyString' | 'end';

/** A list or object that is not closed yet. */
interface Open {
  readonly list: JsonValue[] | undefined;
  readonly object: Record<string, JsonValue> | undefined;
  /** The key of the next value. */
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

  /** Parses the whole document. @throws MetadataError */
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
   * @throws MetadataError
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
