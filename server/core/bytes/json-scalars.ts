/** Parses strings, numbers and words of a JSON text for `parse-json.ts`. */
import type { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import type { JsonValue } from './json.js';
import { BACKSLASH, NINE, QUOTE, ZERO, jsonError } from './json-syntax.js';

/** Maximum length of a string that is looked up in the table of recent strings. */
const MAX_KNOWN_LENGTH = 32;
const KNOWN_SLOTS = 1024;
/** Table size for short texts, which have few repetitions. */
const FEW_SLOTS = 16;
const SHORT_TEXT = 4096;

const { maxIntegerDigits: MAX_INTEGER_DIGITS } = metadataBounds;

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
}; // prettier-ignore

export class JsonScalars {
  protected readonly text: string;
  /** Index of the next UTF-16 unit. */
  protected at = 0;
  /** Position of the quote of the string being read. */
  protected stringAt = 0;
  /** Whether the last number was written as a float and is whole. */
  protected wasWholeFloat = false;
  /** The decoded part of the string being read, which ends before `from`. */
  #unescaped: PieceList | undefined;
  #from = 0;
  readonly #words: (string | undefined)[];

  constructor(text: string) {
    this.text = text;
    const slots = text.length < SHORT_TEXT ? FEW_SLOTS : KNOWN_SLOTS;
    this.#words = new Array<undefined>(slots).fill(undefined);
  }

  protected startString(): void {
    this.stringAt = this.at;
    this.at++;
    this.#from = this.at;
    this.#unescaped = undefined;
  }

  /**
   * The string that starts at `from`; the next unit is at `at`.
   * @returns undefined if the string continues beyond `until`
   */
  protected string(until: number): string | undefined {
    const { text } = this;
    const isWhole = this.at === this.#from;
    let hash = 0;
    for (let i = this.at; ; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        const start = this.#from;
        this.at = i + 1;
        if (this.#unescaped !== undefined) return this.#unescaped.text() + text.slice(start, i);
        return isWhole && i - start <= MAX_KNOWN_LENGTH ? this.#known(start, i, hash) : text.slice(start, i);
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
      this.#unescaped ??= new PieceList();
      this.#unescaped.add(text.slice(this.#from, i) + this.#escape());
      this.#from = this.at;
      i = this.at - 1;
    }
  }

  /**
   * The short string text[start, end), shared by its occurrences while it is in the table: metadata repeats
   * few words very often.
   */
  #known(start: number, end: number, hash: number): string {
    const { text } = this;
    const slot = (hash ^ (hash >>> 12)) & (this.#words.length - 1);
    const found = this.#words[slot];
    if (found !== undefined && found.length === end - start && text.startsWith(found, start)) return found;
    const word = text.slice(start, end);
    this.#words[slot] = word;
    return word;
  }

  #escape(): string {
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

  protected number(): number | bigint {
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
      // The integer is not followed by another digit, "." or "e".
      if (!(code >= ZERO && code <= NINE) && code !== 0x2e && (code | 0x20) !== 0x65) {
        this.at = i;
        return small;
      }
    }
    numberPattern.lastIndex = this.at;
    const match = numberPattern.exec(text);
    if (match === null) {
      if (text.startsWith('-Infinity', this.at)) return this.#take('-Infinity', -Infinity);
      throw this.unexpected('a number');
    }
    const [digits, fraction, exponent] = match;
    const next = text.charCodeAt(this.at + digits.length);
    this.at += digits.length;
    if (next >= ZERO && next <= NINE) throw this.error('a number has a leading zero', this.at - 1);
    const value = Number(digits);
    if (fraction !== undefined || exponent !== undefined) {
      this.wasWholeFloat = Number.isSafeInteger(value);
      return value;
    }
    if (Number.isSafeInteger(value)) return value;
    if (digits.length > MAX_INTEGER_DIGITS)
      throw this.error(
        `an integer has ${digits.length} digits; at most ${MAX_INTEGER_DIGITS} are supported`,
        this.at - digits.length,
      );
    return BigInt(digits);
  }

  protected word(): JsonValue {
    const { text, at } = this;
    if (text.startsWith('true', at)) return this.#take('true', true);
    if (text.startsWith('false', at)) return this.#take('false', false);
    if (text.startsWith('null', at)) return this.#take('null', null);
    if (text.startsWith('NaN', at)) return this.#take('NaN', NaN);
    if (text.startsWith('Infinity', at)) return this.#take('Infinity', Infinity);
    throw this.unexpected('a value');
  }

  #take<T>(word: string, value: T): T {
    this.at += word.length;
    return value;
  }

  protected skipSpace(): void {
    const { text } = this;
    let i = this.at;
    let code = text.charCodeAt(i);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++i);
    this.at = i;
  }

  protected unexpected(wanted: string): MetadataError {
    const char = this.text.codePointAt(this.at);
    const found =
      char === undefined
        ? 'unexpected end of the text'
        : `found ${JSON.stringify(String.fromCodePoint(char))}`;
    return this.error(`expected ${wanted}, ${found}`, this.at);
  }

  protected error(problem: string, at: number): MetadataError {
    return jsonError(this.text, problem, at);
  }
}

/** Number of pieces to join at a time. */
const BATCH = 4096;

/**
 * Joins pieces in batches. Appending millions of pieces to one string would create as many string objects,
 * which V8 flattens only at the first read.
 */
class PieceList {
  readonly #joined: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < BATCH) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  text(): string {
    return [...this.#joined, ...this.#pieces].join('');
  }
}
