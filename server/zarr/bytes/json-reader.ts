/**
 * The parser behind `parse-json.ts`, for text that is already a string. Uses an explicit stack, so that a
 * long text can be parsed piece by piece.
 */
import type { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import type { JsonValue } from './json.js';
import {
  BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, MINUS, NINE, OPEN_LIST, OPEN_OBJECT, QUOTE, ZERO,
} from './json-characters.js'; // prettier-ignore
import { jsonError, quoted } from './json-error.js';
import { emptyJsonObject } from './json-object.js';
import { PieceList } from './piece-list.js';
import { rememberFloat } from './whole-floats.js';

/** Strings up to this length are looked up in a table of recent ones. */
const MAX_KNOWN_LENGTH = 32;
const KNOWN_SLOTS = 1024;
/** Table size for short texts, which repeat little and may be numerous. */
const FEW_SLOTS = 16;
const SHORT_TEXT = 4096;

const { maxKeys: MAX_KEYS, maxIntegerDigits: MAX_INTEGER_DIGITS } = metadataBounds;

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
}; // prettier-ignore

/** The state in which the next call of `run` continues. */
type Phase = 'start' | 'value' | 'key' | 'string' | 'keyString' | 'end';

/** A list or object that is not closed yet. */
interface Open {
  readonly list: JsonValue[] | undefined;
  readonly object: Record<string, JsonValue> | undefined;
  /** The key of the next value. */
  key: string;
  keys: number;
}

/** `at` is the index of the next UTF-16 unit. */
export class JsonReader {
  private readonly text: string;
  private readonly maxDepth: number;
  private at = 0;
  private phase: Phase = 'start';
  private readonly outer: Open[] = [];
  private inner: Open | undefined;
  private result: JsonValue = null;
  /** The string being read: the position of its quote, and the decoded part before `from`. */
  private stringAt = 0;
  private from = 0;
  private unescaped: PieceList | undefined;
  /** Whether the last number was written as a float and is whole. */
  private wasWholeFloat = false;
  private readonly words: (string | undefined)[];

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
    const slots = text.length < SHORT_TEXT ? FEW_SLOTS : KNOWN_SLOTS;
    this.words = new Array<undefined>(slots).fill(undefined);
  }

  /** Parses the whole document. @throws MetadataError */
  document(): JsonValue {
    this.run(Infinity);
    return this.result;
  }

  /** The parsed value, after `run` has returned true. */
  get value(): JsonValue {
    return this.result;
  }

  /**
   * Parses about `units` more UTF-16 units.
   * @returns whether the document is complete
   * @throws MetadataError
   */
  run(units: number): boolean {
    const until = this.at + units;
    if (this.phase === 'end') return true;
    if (this.phase === 'start') {
      this.skipSpace();
      this.phase = 'value';
    }
    for (;;) {
      if (this.at >= until && this.at < this.text.length) return false;
      const inKey = this.phase === 'key' || this.phase === 'keyString';
      if (inKey) {
        if (!this.readKey(until)) return false;
        this.phase = 'value';
        if (this.at >= until && this.at < this.text.length) return false;
      }
      const value = this.readValue(until);
      if (value === undefined) {
        if (this.phase === 'string') return false;
        continue;
      }
      if (this.attach(value)) return true;
    }
  }

  /** @returns undefined if a list or object was opened, or a string continues beyond `until` */
  private readValue(until: number): JsonValue | undefined {
    if (this.phase === 'string') return this.string(until);
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) {
      this.phase = 'string';
      this.startString();
      return this.string(until);
    }
    if (code === OPEN_OBJECT) return this.open(CLOSE_OBJECT);
    if (code === OPEN_LIST) return this.open(CLOSE_LIST);
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.number();
    return this.word();
  }

  /** @returns undefined, or the list or object itself if it is empty */
  private open(close: number): JsonValue | undefined {
    if (this.outer.length + (this.inner === undefined ? 0 : 1) >= this.maxDepth)
      throw this.error(`lists and objects are nested more than ${this.maxDepth} levels deep`, this.at);
    this.at++;
    this.skipSpace();
    const isObject = close === CLOSE_OBJECT;
    const list: JsonValue[] | undefined = isObject ? undefined : [];
    const object = isObject ? emptyJsonObject() : undefined;
    if (this.text.charCodeAt(this.at) === close) {
      this.at++;
      return list ?? object;
    }
    if (this.inner !== undefined) this.outer.push(this.inner);
    this.inner = { list, object, key: '', keys: 0 };
    this.phase = isObject ? 'key' : 'value';
    return undefined;
  }

  /** @returns false if the key continues beyond `until` */
  private readKey(until: number): boolean {
    if (this.phase === 'key') {
      if (this.text.charCodeAt(this.at) !== QUOTE) throw this.unexpected('a key in double quotes');
      this.phase = 'keyString';
      this.startString();
    }
    const key = this.string(until);
    if (key === undefined) return false;
    const object = this.inner?.object;
    if (this.inner === undefined || object === undefined) throw this.unexpected('a value');
    // Values are never undefined, so this finds every earlier key.
    if (object[key] !== undefined)
      throw this.error(`the key ${quoted(key)} occurs twice in one object`, this.stringAt);
    if (++this.inner.keys > MAX_KEYS)
      throw this.error(`an object has more than ${MAX_KEYS} keys`, this.stringAt);
    this.inner.key = key;
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected('":"');
    this.at++;
    this.skipSpace();
    return true;
  }

  /**
   * Adds a value to the open container, and closes containers that end with it. @returns whether it is the
   * whole document
   */
  private attach(first: JsonValue): boolean {
    let value = first;
    for (;;) {
      const { inner } = this;
      if (inner === undefined) return this.finish(value);
      const { list, object } = inner;
      if (list !== undefined) {
        list.push(value);
        if (this.wasWholeFloat) this.remember(list, String(list.length - 1));
      } else if (object !== undefined) {
        object[inner.key] = value;
        if (this.wasWholeFloat) this.remember(object, inner.key);
      }
      this.skipSpace();
      const code = this.text.charCodeAt(this.at);
      if (code === COMMA) {
        this.at++;
        this.skipSpace();
        this.phase = object === undefined ? 'value' : 'key';
        return false;
      }
      if (code !== (object === undefined ? CLOSE_LIST : CLOSE_OBJECT))
        throw this.unexpected(object === undefined ? '"," or "]"' : '"," or "}"');
      this.at++;
      value = list ?? object ?? null;
      this.inner = this.outer.pop();
    }
  }

  private finish(value: JsonValue): true {
    this.wasWholeFloat = false;
    this.skipSpace();
    if (this.at < this.text.length) throw this.unexpected('the end of the text');
    this.result = value;
    this.phase = 'end';
    return true;
  }

  private remember(container: object, key: string): void {
    rememberFloat(container, key);
    this.wasWholeFloat = false;
  }

  private startString(): void {
    this.stringAt = this.at;
    this.at++;
    this.from = this.at;
    this.unescaped = undefined;
  }

  /**
   * The string that starts at `from`; the next unit is at `at`. @returns undefined if it continues beyond
   * `until`
   */
  private string(until: number): string | undefined {
    const { text } = this;
    const isWhole = this.at === this.from;
    let hash = 0;
    for (let i = this.at; ; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        const start = this.from;
        this.at = i + 1;
        this.phase = 'value';
        if (this.unescaped !== undefined) return this.unescaped.text() + text.slice(start, i);
        return isWhole && i - start <= MAX_KNOWN_LENGTH ? this.known(start, i, hash) : text.slice(start, i);
      }
      hash = (hash * 31 + code) | 0;
      if (i >= until) {
        this.at = i;
        if (i < text.length) return undefined;
      }
      // NaN at the end of the text fails both comparisons.
      if (code > BACKSLASH || (code >= 0x20 && code !== BACKSLASH)) continue;
      this.at = i;
      if (i >= text.length) throw this.error('the text ends within a string', this.stringAt);
      if (code < 0x20) throw this.error('a control character in a string; write it as an escape', i);
      this.unescaped ??= new PieceList();
      this.unescaped.add(text.slice(this.from, i) + this.escape());
      this.from = this.at;
      i = this.at - 1;
    }
  }

  /**
   * The short string text[start, end), shared by all its occurrences: metadata repeats few words very often.
   */
  private known(start: number, end: number, hash: number): string {
    const { text } = this;
    const slot = (hash ^ (hash >>> 12)) & (this.words.length - 1);
    const found = this.words[slot];
    if (found !== undefined && found.length === end - start && text.startsWith(found, start)) return found;
    const word = text.slice(start, end);
    this.words[slot] = word;
    return word;
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw this.error('the escape "\\u" requires four hexadecimal digits', this.at);
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const char = escapes[letter];
    if (char === undefined) throw this.error(`unknown escape "\\${letter}"`, this.at);
    this.at += 2;
    return char;
  }

  private number(): number | bigint {
    const { text } = this;
    // Fast path for small integers, which are the most frequent numbers.
    let i = this.at;
    let code = text.charCodeAt(i);
    if (code > ZERO) {
      let small = 0;
      const last = i + 15;
      while (code >= ZERO && code <= NINE && i < last) {
        small = small * 10 + code - ZERO;
        code = text.charCodeAt(++i);
      }
      // Not followed by another digit, "." or "e".
      if (!(code >= ZERO && code <= NINE) && code !== 0x2e && (code | 0x20) !== 0x65) {
        this.at = i;
        return small;
      }
    }
    numberPattern.lastIndex = this.at;
    const match = numberPattern.exec(text);
    if (match === null) {
      if (text.startsWith('-Infinity', this.at)) return this.take('-Infinity', -Infinity);
      throw this.unexpected('a number');
    }
    const [digits, fraction, exponent] = match;
    const next = text.charCodeAt(this.at + digits.length);
    this.at += digits.length;
    if (next >= ZERO && next <= NINE) throw this.error('a number starts with an unnecessary 0', this.at - 1);
    const value = Number(digits);
    if (fraction !== undefined || exponent !== undefined) {
      this.wasWholeFloat = Number.isSafeInteger(value);
      return value;
    }
    if (Number.isSafeInteger(value)) return value;
    if (digits.length > MAX_INTEGER_DIGITS)
      throw this.error(
        `an integer has ${digits.length} digits; at most ${MAX_INTEGER_DIGITS} are read`,
        this.at - digits.length,
      );
    return BigInt(digits);
  }

  private word(): JsonValue {
    const { text, at } = this;
    if (text.startsWith('true', at)) return this.take('true', true);
    if (text.startsWith('false', at)) return this.take('false', false);
    if (text.startsWith('null', at)) return this.take('null', null);
    if (text.startsWith('NaN', at)) return this.take('NaN', NaN);
    if (text.startsWith('Infinity', at)) return this.take('Infinity', Infinity);
    throw this.unexpected('a value');
  }

  private take<T>(word: string, value: T): T {
    this.at += word.length;
    return value;
  }

  private skipSpace(): void {
    const { text } = this;
    let i = this.at;
    let code = text.charCodeAt(i);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++i);
    this.at = i;
  }

  private unexpected(wanted: string): MetadataError {
    const char = this.text.codePointAt(this.at);
    const found =
      char === undefined ? 'the text ends' : `found ${JSON.stringify(String.fromCodePoint(char))}`;
    return this.error(`expected ${wanted}, ${found}`, this.at);
  }

  private error(what: string, at: number): MetadataError {
    return jsonError(this.text, what, at);
  }
}
