/**
 * Reads the JSON of Zarr metadata without loss (RFC 8259, and Python's extensions). This is the only reader of JSON
 * documents in the server: it parses values, locates them without parsing (spans of bytes), and finds tokens.
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
import { latin1FromBytes } from '#platform';
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { type JsonValue, emptyJsonObject, rememberFloat } from './json.js';
import { decodeUtf8, encodeUtf8 } from './text.js';

interface ParseJsonOptions {
  /** Maximum size in bytes. @default metadataBounds.maxDocumentBytes */
  readonly maxBytes?: number;
  /** Maximum nesting of lists and objects. @default metadataBounds.maxDepth */
  readonly maxDepth?: number;
}

/**
 * Parses a document of UTF-8 bytes.
 * @throws MetadataError with line and column if it is not JSON in UTF-8, has duplicate or too many keys, is nested
 *   too deeply or has an integer with too many digits; LimitError if it is too long
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  const reader = readerOf(bytes, options);
  const value = reader.value(Infinity) ?? null;
  reader.end();
  return value;
}

/** Like `parseJson`, for text that is already a string. @throws errors from `parseJson`; InputError for a lone surrogate */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): JsonValue {
  return parseJson(encodeUtf8(text), options);
}

/** Number of bytes parsed per step of `parseJsonSteps`. */
const STEP_BYTES = 16 * 1024;

/**
 * Like `parseJson`, for long texts: yields every few tenths of a millisecond, so that the caller can pause.
 * @throws errors from `parseJson`
 */
export function* parseJsonSteps(
  bytes: Uint8Array,
  options: ParseJsonOptions = {},
): Generator<void, JsonValue, void> {
  const reader = readerOf(bytes, options);
  for (;;) {
    const value = reader.value(reader.at + STEP_BYTES);
    if (value === undefined) yield;
    else {
      reader.end();
      return value;
    }
  }
}

function readerOf(
  bytes: Uint8Array,
  { maxBytes = metadataBounds.maxDocumentBytes, maxDepth }: ParseJsonOptions,
): JsonReader {
  if (bytes.length <= maxBytes) return new JsonReader(bytes, maxDepth);
  throw new LimitError(`a JSON document has ${bytes.length} bytes; at most ${maxBytes} are allowed`, {
    excess: [{ limit: 'maxDocumentBytes', allowed: maxBytes, needed: bytes.length }],
  });
}

/** The characters of JSON's grammar. */
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const PLUS = 0x2b;
const POINT = 0x2e;
const LETTER_E = 0x65;
const LETTER_U = 0x75;

const { maxKeys: MAX_KEYS, maxIntegerDigits: MAX_INTEGER_DIGITS } = metadataBounds;

/** Maximum size of a key that `key` reads: longer than any path in which every character is an escape. */
const MAX_KEY_BYTES = 64 * 1024;
/** Maximum size of a string that is looked up in the table of recent strings. */
const MAX_RECENT_BYTES = 64;
const RECENT_SLOTS = 1024;
/** Table size for short texts, which have few repetitions. */
const FEW_SLOTS = 16;
const SHORT_TEXT = 4096;
/** Size of the part of the text that is converted at a time. */
const WINDOW_BYTES = 16 * 1024;

/** Maximum number of consecutive digits, which are read without a pause. */
const MAX_DIGITS = 2 ** 16;
/** Any integer of so many digits is a number without rounding. */
const EXACT_DIGITS = 15;
const powersOfTen = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => Number(`1e${i}`));
const escapes: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
}; // prettier-ignore

/** A list or object that is not closed yet. */
interface Open {
  readonly list: JsonValue[] | undefined;
  readonly object: Record<string, JsonValue> | undefined;
  /** The key of the next value in an object. */
  key: string;
  keys: number;
}

/**
 * Moves over JSON text. `value`, `skip` and `solid` can stop anywhere and be continued, so that a long text can be read
 * piece by piece. None of them uses the call stack for nested lists and objects.
 */
export class JsonReader {
  /** Index of the next byte. The start and end of what was read are the span of its text. */
  at = 0;
  /** Whether a call of `skip` or `solid` has stopped within a string. */
  #isInString = false;
  /** Open brackets in the value that is being skipped. */
  #depth = 0;
  /** Whether an earlier call has skipped a part of the value. */
  #hasBegun = false;
  /** What `value` continues with. */
  #phase: 'value' | 'key' | 'string' | 'keyString' = 'value';
  readonly #outer: Open[] = [];
  #inner: Open | undefined;
  /** Position of the quote of the string being read. */
  #stringAt = 0;
  /** The beginning of the string being read, which ends before `at`. */
  #pieces: PieceList | undefined;
  /** Whether the last number was written as a float and is whole. */
  #wasWholeFloat = false;
  /** The value of the last digits. */
  #digits = 0;
  /** Recent short strings. */
  #recent: (string | undefined)[] | undefined;
  /** A part of the text with one character for each byte, and its position. */
  #window = '';
  #windowAt = 0;

  constructor(
    readonly bytes: Uint8Array,
    readonly maxDepth: number = metadataBounds.maxDepth,
  ) {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.at = 3;
  }

  /** The next byte that is not white space; undefined at the end. */
  peek(): number | undefined {
    const { bytes } = this;
    let i = this.at;
    let byte = bytes[i];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i];
    this.at = i;
    return byte;
  }

  /** Skips white space and the given byte. @throws MetadataError if another byte follows */
  take(byte: number): void {
    if (this.peek() !== byte) throw this.#unexpected(`"${String.fromCharCode(byte)}"`);
    this.at++;
  }

  /** @throws MetadataError if anything but white space follows */
  end(): void {
    if (this.peek() !== undefined) throw this.#unexpected('the end of the text');
  }

  /** Reads a key of limited length. @throws MetadataError for anything else */
  key(): string {
    if (this.peek() !== QUOTE) throw this.#unexpected('a key in double quotes');
    this.#startString();
    const key = this.#string(this.at + MAX_KEY_BYTES);
    if (key === undefined) throw this.error(`a key has more than ${MAX_KEY_BYTES} bytes`, this.#stringAt);
    return key;
  }

  /**
   * Continues over the value at `at` without parsing it, no further than `until`. Checks only the number of brackets
   * and quotes; parsing the span later checks the rest.
   * @returns whether its end was reached
   * @throws MetadataError if the text ends, or no value starts at `at`
   */
  skip(until: number): boolean {
    const { bytes } = this;
    const stop = Math.min(until, bytes.length);
    const start = this.at;
    let i = start;
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isEnd = false;
    while (i < stop && !isEnd) {
      if (isInString) {
        i = this.#stringEnd(i, stop);
        isInString = this.#isInString;
        isEnd = !isInString && depth === 0;
        continue;
      }
      const byte = bytes[i];
      if (byte === QUOTE) isInString = true;
      else if (byte <= COMMA) {
        if (depth === 0 && (byte === COMMA || isSpace(byte))) break;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        // The bracket closes the list or object that contains the value, a number or word.
        if (depth === 0) break;
        isEnd = --depth === 0;
      }
      i++;
    }
    this.at = Math.min(i, bytes.length);
    this.#depth = depth;
    this.#isInString = isInString;
    // A number or word ends before a separator, or at the end of the text.
    const isWord = !isEnd && depth === 0 && !isInString && (i < stop || i >= bytes.length);
    const hasBegun = this.#hasBegun || i > start;
    this.#hasBegun = hasBegun && !isEnd && !isWord;
    if (isEnd || (isWord && hasBegun)) return true;
    if (isWord || i >= bytes.length)
      throw this.error(isInString ? 'the text ends within a string' : 'expected a value');
    return false;
  }

  /**
   * Continues over the string at `at`, or else up to the next white space or string; no further than `until`.
   * @returns whether white space may follow
   */
  solid(until: number): boolean {
    const { bytes } = this;
    const stop = Math.min(until, bytes.length);
    let i = this.at;
    if (this.#isInString || bytes[i] === QUOTE) {
      this.at = this.#stringEnd(this.#isInString ? i : i + 1, stop);
      return !this.#isInString;
    }
    do i++;
    while (i < stop && bytes[i] > 0x20 && bytes[i] !== QUOTE);
    this.at = i;
    return true;
  }

  /** Finds the end of a string without parsing it. @returns the position after its quote, or at most `stop` + 1 */
  #stringEnd(from: number, stop: number): number {
    const { bytes } = this;
    for (let i = from; ; i++) {
      if (i >= stop) {
        this.#isInString = true;
        return i;
      }
      const byte = bytes[i];
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) {
        this.#isInString = false;
        return i + 1;
      }
    }
  }

  /**
   * Continues parsing the value at `at`, about as far as `until`.
   * @returns undefined if the value continues
   * @throws MetadataError if it is not valid JSON
   */
  value(until: number): JsonValue | undefined {
    for (;;) {
      if (this.#phase === 'key' || this.#phase === 'keyString') {
        if (!this.#readKey(until)) return undefined;
        this.#phase = 'value';
      }
      if (this.at >= until && this.at < this.bytes.length) return undefined;
      const value = this.#next(until);
      if (value !== undefined) {
        const whole = this.#attach(value);
        if (whole !== undefined) return whole;
      } else if (this.#phase === 'string') return undefined;
      if (this.at >= until && this.at < this.bytes.length) return undefined;
    }
  }

  /** @returns undefined if a list or object was opened, or a string continues beyond `until` */
  #next(until: number): JsonValue | undefined {
    if (this.#phase !== 'string') {
      const byte = this.peek() ?? 0;
      if (byte === OPEN_OBJECT) return this.#open(CLOSE_OBJECT);
      if (byte === OPEN_LIST) return this.#open(CLOSE_LIST);
      if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.#number();
      if (byte !== QUOTE) return this.#word();
      this.#startString();
      this.#phase = 'string';
    }
    const text = this.#string(until);
    if (text !== undefined) this.#phase = 'value';
    return text;
  }

  /** @returns undefined, or the list or object itself if it is empty */
  #open(close: number): JsonValue | undefined {
    if (this.#outer.length + (this.#inner === undefined ? 0 : 1) >= this.maxDepth)
      throw this.error(`lists and objects are nested more than ${this.maxDepth} levels deep`);
    this.at++;
    const isObject = close === CLOSE_OBJECT;
    const list: JsonValue[] | undefined = isObject ? undefined : [];
    const object = isObject ? emptyJsonObject() : undefined;
    if (this.peek() === close) {
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
      if (this.peek() !== QUOTE) throw this.#unexpected('a key in double quotes');
      this.#phase = 'keyString';
      this.#startString();
    }
    const key = this.#string(until);
    if (key === undefined) return false;
    const object = this.#inner?.object;
    if (this.#inner === undefined || object === undefined) throw this.#unexpected('a value');
    // Values are never undefined, so this comparison finds every earlier key.
    if (object[key] !== undefined)
      throw this.error(`the key ${quoted(key)} is repeated in an object`, this.#stringAt);
    if (++this.#inner.keys > MAX_KEYS)
      throw this.error(`an object has more than ${MAX_KEYS} keys`, this.#stringAt);
    this.#inner.key = key;
    this.take(COLON);
    return true;
  }

  /**
   * Adds a value to the open list or object, and closes those that end with it.
   * @returns the whole value that `value` reads, if this is its end
   */
  #attach(first: JsonValue): JsonValue | undefined {
    let value = first;
    for (;;) {
      const inner = this.#inner;
      if (inner === undefined) {
        this.#wasWholeFloat = false;
        return value;
      }
      const { list, object } = inner;
      if (list !== undefined) list.push(value);
      else if (object !== undefined) object[inner.key] = value;
      if (this.#wasWholeFloat) {
        this.#wasWholeFloat = false;
        if (list !== undefined) rememberFloat(list, String(list.length - 1));
        else if (object !== undefined) rememberFloat(object, inner.key);
      }
      const byte = this.peek();
      if (byte === COMMA) {
        this.at++;
        this.#phase = object === undefined ? 'value' : 'key';
        return undefined;
      }
      if (byte !== (object === undefined ? CLOSE_LIST : CLOSE_OBJECT))
        throw this.#unexpected(object === undefined ? '"," or "]"' : '"," or "}"');
      this.at++;
      value = list ?? object ?? null;
      this.#inner = this.#outer.pop();
    }
  }

  // Strings, numbers and words.

  #startString(): void {
    this.#stringAt = this.at++;
    this.#pieces = undefined;
  }

  /** Continues parsing a string. @returns undefined if it continues beyond `until` */
  #string(until: number): string | undefined {
    const { bytes } = this;
    const stop = Math.min(until, bytes.length);
    for (;;) {
      const from = this.at;
      let i = from;
      let byte = 0;
      let bits = 0;
      let hash = 0;
      for (; i < stop; i++) {
        byte = bytes[i];
        if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
        bits |= byte;
        hash = (hash * 31 + byte) | 0;
      }
      if (i >= stop) {
        if (i >= bytes.length) throw this.error('the text ends within a string', this.#stringAt);
        // A piece ends at the end of a character, which has at most four bytes.
        while ((bytes[i] & 0xc0) === 0x80 && i < stop + 3) i++;
        this.#addPiece(this.#text(from, i, 0x80));
        this.at = i;
        return undefined;
      }
      if (byte === QUOTE) {
        this.at = i + 1;
        if (this.#pieces !== undefined) {
          this.#pieces.add(this.#text(from, i, bits));
          return this.#pieces.text();
        }
        const isShort = i - from <= MAX_RECENT_BYTES && bits < 0x80;
        return isShort ? this.#recentText(from, i, hash) : this.#text(from, i, bits);
      }
      if (byte < 0x20) throw this.error('a control character in a string; write it as an escape', i);
      this.at = i;
      this.#addPiece(this.#text(from, i, bits) + this.#escape());
    }
  }

  #addPiece(piece: string): void {
    this.#pieces ??= new PieceList();
    this.#pieces.add(piece);
  }

  /** The text of bytes. @param bits combination of the bytes, which shows whether all are ASCII */
  #text(from: number, to: number, bits: number): string {
    if (from === to) return '';
    if (bits >= 0x80) {
      try {
        return decodeUtf8(this.bytes, from, to);
      } catch (cause) {
        throw new MetadataError('the JSON text is not valid UTF-8', { cause });
      }
    }
    if (to - from > WINDOW_BYTES) return latin1FromBytes(this.bytes, from, to);
    // Slices of one text are faster to create than texts.
    if (from < this.#windowAt || to > this.#windowAt + this.#window.length) {
      this.#windowAt = from;
      this.#window = latin1FromBytes(this.bytes, from, Math.min(from + WINDOW_BYTES, this.bytes.length));
    }
    return this.#window.slice(from - this.#windowAt, to - this.#windowAt);
  }

  /** A short ASCII text, shared by its occurrences while it is in the table: metadata repeats few words very often. */
  #recentText(from: number, to: number, hash: number): string {
    if (from === to) return '';
    const { bytes } = this;
    this.#recent ??= new Array<undefined>(bytes.length < SHORT_TEXT ? FEW_SLOTS : RECENT_SLOTS).fill(undefined); // prettier-ignore
    const slot = (hash ^ (hash >>> 12)) & (this.#recent.length - 1);
    const found = this.#recent[slot];
    if (found?.length === to - from) {
      let i = 0;
      while (i < found.length && found.charCodeAt(i) === bytes[from + i]) i++;
      if (i === found.length) return found;
    }
    return (this.#recent[slot] = this.#text(from, to, 0));
  }

  /** Reads the escape at `at`. */
  #escape(): string {
    const { bytes, at } = this;
    if (bytes[at + 1] === LETTER_U) {
      const digits = latin1FromBytes(bytes, at + 2, Math.min(at + 6, bytes.length));
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw this.error('the escape "\\u" requires four hexadecimal digits');
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const letter = String.fromCharCode(bytes[at + 1] ?? 0x20);
    const char = escapes[letter];
    if (char === undefined) throw this.error(`unknown escape "\\${letter}"`);
    this.at += 2;
    return char;
  }

  #number(): number | bigint {
    const { bytes, at } = this;
    const isNegative = bytes[at] === MINUS;
    const first = isNegative ? at + 1 : at;
    let end = this.#digitsEnd(first);
    if (end === first) {
      if (this.#isAt('-Infinity')) return this.#take('-Infinity', -Infinity);
      throw this.#unexpected('a number');
    }
    if (bytes[first] === ZERO && end > first + 1) throw this.error('a number has a leading zero', first);
    let mantissa = this.#digits;
    let isFloat = false;
    let scale = 0;
    const fractionEnd = bytes[end] === POINT ? this.#digitsEnd(end + 1, mantissa) : 0;
    if (fractionEnd > end + 1) {
      scale = fractionEnd - end - 1;
      mantissa = this.#digits;
      end = fractionEnd;
      isFloat = true;
    }
    const count = end - first - (isFloat ? 1 : 0);
    let isExact = count <= EXACT_DIGITS;
    if ((bytes[end] | 0x20) === LETTER_E) {
      const sign = bytes[end + 1];
      const exponent = sign === PLUS || sign === MINUS ? end + 2 : end + 1;
      const exponentEnd = this.#digitsEnd(exponent);
      if (exponentEnd > exponent) {
        end = exponentEnd;
        isFloat = true;
        isExact = false;
      }
    }
    this.at = end;
    // The quotient of two exact numbers is the nearest number, so few digits need no conversion of text.
    const value = isExact
      ? (isNegative ? -mantissa : mantissa) / powersOfTen[scale]
      : Number(this.#text(at, end, 0));
    if (isFloat) {
      this.#wasWholeFloat = Number.isSafeInteger(value);
      return value;
    }
    if (Number.isSafeInteger(value)) return value;
    if (count > MAX_INTEGER_DIGITS)
      throw this.error(`an integer has ${count} digits; at most ${MAX_INTEGER_DIGITS} are supported`, at);
    return BigInt(this.#text(at, end, 0));
  }

  /** The end of the digits from a position. Sets `#digits` to their value after the digits of `before`. */
  #digitsEnd(from: number, before = 0): number {
    const { bytes } = this;
    let digits = before;
    let i = from;
    const most = from + MAX_DIGITS;
    for (let byte = bytes[i]; byte >= ZERO && byte <= NINE; byte = bytes[++i]) {
      if (i === most) throw this.error(`a number has more than ${MAX_DIGITS} digits`);
      digits = digits * 10 + byte - ZERO;
    }
    this.#digits = digits;
    return i;
  }

  #word(): JsonValue {
    if (this.#isAt('true')) return this.#take('true', true);
    if (this.#isAt('false')) return this.#take('false', false);
    if (this.#isAt('null')) return this.#take('null', null);
    if (this.#isAt('NaN')) return this.#take('NaN', NaN);
    if (this.#isAt('Infinity')) return this.#take('Infinity', Infinity);
    throw this.#unexpected('a value');
  }

  #isAt(word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.bytes[this.at + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  #take<T>(word: string, value: T): T {
    this.at += word.length;
    return value;
  }

  // Errors with their location.

  #unexpected(wanted: string): MetadataError {
    const next = new TextDecoder().decode(this.bytes.subarray(this.at, this.at + 4));
    const char = next.codePointAt(0);
    const found =
      char === undefined
        ? 'unexpected end of the text'
        : `found ${JSON.stringify(String.fromCodePoint(char))}`;
    return this.error(`expected ${wanted}, ${found}`);
  }

  /** @param at position of the problem in bytes */
  error(problem: string, at = this.at): MetadataError {
    return new MetadataError(`not valid JSON: ${problem} (${this.#location(at)})`);
  }

  /** The line, and the column in UTF-16 units. Counting lines in a very long text would take too long. */
  #location(at: number): string {
    if (at > MAX_COUNTED_BYTES) return `byte ${at}`;
    let line = 1;
    let lineStart = this.bytes[0] === 0xef && at >= 3 ? 3 : 0;
    for (let i = lineStart; i < at; i++)
      if (this.bytes[i] === 0x0a) {
        line++;
        lineStart = i + 1;
      }
    const before = new TextDecoder().decode(this.bytes.subarray(lineStart, at));
    return `line ${line}, column ${before.length + 1}`;
  }
}

const MAX_COUNTED_BYTES = 4 * 2 ** 20;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const MAX_SHOWN = 100;

/** A key in double quotes, truncated, because it may be as long as the document. */
export function quoted(key: string): string {
  return JSON.stringify(key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}...` : key);
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
