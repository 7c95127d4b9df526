/** The parser behind `parse-json.ts`: recursive descent over one text that is a string already. */
import { MetadataError } from '../errors.js';
import type { JsonObject, JsonValue } from './json.js';
import { emptyJsonObject } from './json-object.js';
import { rememberFloat } from './whole-floats.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Strings up to this length are looked up among those seen before (in a table of so many slots). */
const MAX_KNOWN_LENGTH = 32;
const KNOWN_SLOTS = 1024;

/** Python reads no longer ones either. Making a number of digits takes more than twice as long for twice as many. */
const MAX_INTEGER_DIGITS = 4300;

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
}; // prettier-ignore

/** Recursive descent over one text; `at` is the next UTF-16 unit. */
export class JsonReader {
  private readonly text: string;
  private readonly maxDepth: number;
  private at = 0;
  private depth = 0;
  /** The number read last was written as a float, and is whole. */
  private wasWholeFloat = false;
  private readonly words: (string | undefined)[] = new Array<undefined>(KNOWN_SLOTS).fill(undefined);

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  document(): JsonValue {
    this.skipSpace();
    const value = this.value();
    this.skipSpace();
    if (this.at < this.text.length) throw this.unexpected('the end of the text');
    return value;
  }

  private value(): JsonValue {
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) return this.string();
    if (code === OPEN_OBJECT) return this.object();
    if (code === OPEN_LIST) return this.list();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.number();
    return this.word();
  }

  private object(): JsonObject {
    this.open();
    const result = emptyJsonObject();
    if (this.text.charCodeAt(this.at) !== CLOSE_OBJECT) {
      for (;;) {
        if (this.text.charCodeAt(this.at) !== QUOTE) throw this.unexpected('a key in double quotes');
        const start = this.at;
        const key = this.string();
        // Values are never undefined, so this finds every earlier key.
        if (result[key] !== undefined)
          throw this.error(`the key ${JSON.stringify(key)} occurs twice in one object`, start);
        this.skipSpace();
        if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected('":"');
        this.at++;
        this.skipSpace();
        result[key] = this.value();
        if (this.wasWholeFloat) this.remember(result, key);
        this.skipSpace();
        const code = this.text.charCodeAt(this.at);
        if (code === CLOSE_OBJECT) break;
        if (code !== COMMA) throw this.unexpected('"," or "}"');
        this.at++;
        this.skipSpace();
      }
    }
    this.at++;
    this.depth--;
    return result;
  }

  private list(): JsonValue[] {
    this.open();
    const result: JsonValue[] = [];
    if (this.text.charCodeAt(this.at) !== CLOSE_LIST) {
      for (;;) {
        result.push(this.value());
        if (this.wasWholeFloat) this.remember(result, String(result.length - 1));
        this.skipSpace();
        const code = this.text.charCodeAt(this.at);
        if (code === CLOSE_LIST) break;
        if (code !== COMMA) throw this.unexpected('"," or "]"');
        this.at++;
        this.skipSpace();
      }
    }
    this.at++;
    this.depth--;
    return result;
  }

  private remember(container: object, key: string): void {
    rememberFloat(container, key);
    this.wasWholeFloat = false;
  }

  private open(): void {
    if (++this.depth > this.maxDepth)
      throw this.error(`lists and objects are nested more than ${this.maxDepth} deep`, this.at);
    this.at++;
    this.skipSpace();
  }

  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    let hash = 0;
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return i - start > MAX_KNOWN_LENGTH ? text.slice(start, i) : this.known(start, i, hash);
      }
      hash = (hash * 31 + code) | 0;
      // NaN at the end of the text fails both comparisons.
      if (code > BACKSLASH || (code >= 0x20 && code !== BACKSLASH)) continue;
      this.at = i;
      return this.escapedString(start);
    }
  }

  /** The short string text[start, end), one object for all its occurrences: metadata repeats few words very often. */
  private known(start: number, end: number, hash: number): string {
    const { text } = this;
    const slot = (hash ^ (hash >>> 12)) & (KNOWN_SLOTS - 1);
    const found = this.words[slot];
    if (found !== undefined && found.length === end - start && text.startsWith(found, start)) return found;
    const word = text.slice(start, end);
    this.words[slot] = word;
    return word;
  }

  /** The rest of a string from its first escape (or fault) on, at `this.at`. */
  private escapedString(start: number): string {
    const { text } = this;
    let result = '';
    let from = start;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === QUOTE) {
        result += text.slice(from, this.at++);
        return result;
      }
      if (this.at >= text.length) throw this.error('the text ends within a string', start - 1);
      if (code < 0x20)
        throw this.error('a control character stands in a string; it must be written as an escape', this.at);
      if (code !== BACKSLASH) {
        this.at++;
        continue;
      }
      result += text.slice(from, this.at);
      result += this.escape();
      from = this.at;
    }
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw this.error('the escape "\\u" takes four hexadecimal digits', this.at);
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const char = escapes[letter];
    if (char === undefined) throw this.error(`the escape "\\${letter}" is not known`, this.at);
    this.at += 2;
    return char;
  }

  private number(): number | bigint {
    const { text } = this;
    // Small integers, which is most of them, without a regular expression.
    let i = this.at;
    let code = text.charCodeAt(i);
    if (code > ZERO) {
      let small = 0;
      const last = i + 15;
      while (code >= ZERO && code <= NINE && i < last) {
        small = small * 10 + code - ZERO;
        code = text.charCodeAt(++i);
      }
      // Neither another digit nor "." nor "e".
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
    if (next >= ZERO && next <= NINE) throw this.error('a number starts with a needless 0', this.at - 1);
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
    let line = 1;
    let lineStart = 0;
    for (let i = this.text.indexOf('\n'); i >= 0 && i < at; i = this.text.indexOf('\n', i + 1)) {
      line++;
      lineStart = i + 1;
    }
    return new MetadataError(`not valid JSON: ${what} (line ${line}, column ${at - lineStart + 1})`);
  }
}
