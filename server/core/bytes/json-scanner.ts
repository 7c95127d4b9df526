/**
 * Locates values in JSON text without parsing them: the start and end of each, in bytes. Skipped values are
 * checked only for the number of brackets and for quotes. Parsing them later checks the rest.
 */
import { latin1FromBytes } from '#platform';
import { MetadataError } from '../errors.js';
import {
  BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE,
} from './json-syntax.js'; // prettier-ignore
import { parseJson } from './parse-json.js';

/** Maximum size of a key in bytes: longer than any path in which every character is an escape. */
const MAX_KEY_BYTES = 64 * 1024;

/** Size of the table of recent strings; must be a power of two. */
const STRING_SLOTS = 256;

export class JsonScanner {
  /** Index of the next byte. */
  at = 0;
  #depth = 0;
  #inString = false;
  /** Whether an earlier call has skipped a part of the value. */
  #hasBegun = false;
  /** Recent plain strings, by the slot that `slotOf` computes. */
  readonly #strings = Array.from<string | undefined>({ length: STRING_SLOTS });

  constructor(readonly bytes: Uint8Array) {
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
    if (this.peek() !== byte) throw this.error(`expected "${String.fromCharCode(byte)}"`);
    this.at++;
  }

  /** Reads a string of at most the length of a key. @throws MetadataError for anything else */
  string(): string {
    if (this.peek() !== QUOTE) throw this.error('expected a key in double quotes');
    const start = this.at;
    const end = this.#endOfString(start + 1);
    this.at = end;
    const recent = this.#recent(start + 1, end - 1);
    if (recent !== undefined) return recent;
    const inner = this.bytes.subarray(start + 1, end - 1);
    if (isPlain(inner)) return this.#remember(inner);
    const value = parseJson(this.bytes.subarray(start, end));
    if (typeof value !== 'string') throw this.error('expected a key in double quotes');
    return value;
  }

  /** The string at these bytes, if it is one of the recent ones: the same few keys occur in every node. */
  #recent(start: number, end: number): string | undefined {
    const { bytes } = this;
    const known = this.#strings[slotOf(bytes, start, end)];
    if (known?.length !== end - start) return undefined;
    for (let i = 0; i < known.length; i++) if (known.charCodeAt(i) !== bytes[start + i]) return undefined;
    return known;
  }

  #remember(inner: Uint8Array): string {
    const text = latin1FromBytes(inner, 0, inner.length);
    this.#strings[slotOf(inner, 0, inner.length)] = text;
    return text;
  }

  #endOfString(from: number): number {
    const { bytes } = this;
    const most = Math.min(bytes.length, from + MAX_KEY_BYTES);
    for (let i = from; i < most; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      if (byte === BACKSLASH) i++;
    }
    throw this.error(
      most < bytes.length ? `a key has more than ${MAX_KEY_BYTES} bytes` : 'a string has no closing quote',
    );
  }

  /**
   * Continues skipping the value at `at`, no further than `until`.
   * @returns whether its end was reached
   * @throws MetadataError if the text ends, or no value starts at `at`
   */
  skip(until: number): boolean {
    const { bytes } = this;
    const stop = Math.min(until, bytes.length);
    let i = this.at;
    let depth = this.#depth;
    let inString = this.#inString;
    let isEnd = false;
    const start = i;
    while (i < stop) {
      const byte = bytes[i];
      if (inString) {
        if (byte === BACKSLASH) i++;
        else if (byte === QUOTE) {
          inString = false;
          isEnd = depth === 0;
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        // The bracket closes the list or object that contains the value, a number or word.
        if (depth === 0) break;
        isEnd = --depth === 0;
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) break;
      i++;
      if (isEnd) break;
    }
    this.at = Math.min(i, bytes.length);
    this.#depth = depth;
    this.#inString = inString;
    // A number or word ends before a separator, or at the end of the text.
    const isWord = !isEnd && depth === 0 && !inString && (i < stop || i >= bytes.length);
    const hasBegun = this.#hasBegun || i > start;
    this.#hasBegun = hasBegun && !isEnd && !isWord;
    if (isEnd || (isWord && hasBegun)) return true;
    if (isWord || i >= bytes.length) throw this.error('expected a value');
    return false;
  }

  error(problem: string): MetadataError {
    return new MetadataError(`not valid JSON: ${problem} (byte ${this.at})`);
  }
}

/** The slot of a string in the table. Different strings may have the same slot. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  return ((end - start) * 31 + bytes[start] * 7 + bytes[end - 1]) & (STRING_SLOTS - 1);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether all bytes are ASCII without escapes and control characters, so that each byte is one character. */
function isPlain(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return false;
  }
  return true;
}
