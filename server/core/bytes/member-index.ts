/**
 * Index of the members of a long JSON object by key: a few numbers for each member instead of objects. Values are
 * located, and parsed by the caller when they are needed.
 */
import { LimitError, MetadataError } from '../errors.js';
import { CLOSE_OBJECT, COLON, COMMA, JsonReader, OPEN_OBJECT, quoted } from './parse-json.js';
import { decodeUtf8, encodeUtf8 } from './text.js';

/** The bytes of a value; `end` is exclusive. */
export interface MemberSpan {
  readonly start: number;
  readonly end: number;
}

/** The members of a folder of keys that contain slashes. */
interface MembersBelow {
  /** Complete keys. */
  readonly keys: string[];
  /** Names of the folders. */
  readonly folders: string[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
/** Maximum number of members, which take 12 bytes each, and 8 more while the index is made. */
const MAX_MEMBERS = 2 ** 23;
/** Number of bytes, members or slots that are processed between two pauses, in a few tenths of a millisecond. */
const STEP_BYTES = 64 * 1024;
const STEP = 4096;
/** Maximum length of a key that is read here. The reader of JSON refuses longer ones. */
const MAX_KEY_BYTES = 60 * 1024;
/** Slots that are examined for a key. Ordinary keys need fewer than a hundred; the keys of an attacker may collide. */
const MAX_PROBES = 10_000;
/** Start of the hashes, which makes collisions unpredictable. */
const seed = Math.floor(Math.random() * 2 ** 32);

/** Collects the members of an object, or of parts of it. */
export class MemberIndexBuilder {
  readonly #reader: JsonReader;
  #starts = new Uint32Array(1024);
  #hashes = new Uint32Array(1024);
  #size = 0;

  /** @param reader is moved over the members */
  constructor(reader: JsonReader) {
    this.#reader = reader;
  }

  /**
   * Adds the members of the object at the position of the reader, and moves behind it. Yields between pieces.
   * @throws MetadataError for invalid JSON; LimitError for too many members
   */
  *object(): Generator<void, void, void> {
    const reader = this.#reader;
    reader.take(OPEN_OBJECT);
    let until = reader.at + STEP_BYTES;
    if (reader.peek() === CLOSE_OBJECT) {
      reader.at++;
      return;
    }
    for (;;) {
      this.#key();
      reader.take(COLON);
      reader.peek();
      while (!reader.skip(until)) {
        yield;
        until = reader.at + STEP_BYTES;
      }
      if (reader.at >= until) {
        yield;
        until = reader.at + STEP_BYTES;
      }
      if (reader.peek() === CLOSE_OBJECT) {
        reader.at++;
        return;
      }
      reader.take(COMMA);
    }
  }

  /** Adds one member, whose key begins at `keyStart` and has been read. @throws LimitError */
  add(keyStart: number): void {
    this.#put(keyStart, hashOf(encodeUtf8(keyAt(this.#reader.bytes, keyStart))));
  }

  /** Reads a key. */
  #key(): void {
    const reader = this.#reader;
    const { bytes } = reader;
    if (reader.peek() !== QUOTE) reader.key();
    const start = reader.at;
    let hash = seed;
    let i = start + 1;
    const most = start + MAX_KEY_BYTES;
    for (
      let byte = bytes[i];
      byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20 && i < most;
      byte = bytes[++i]
    )
      hash = Math.imul(hash ^ byte, 0x01000193);
    if (bytes[i] === QUOTE) reader.at = i + 1;
    else hash = hashOf(encodeUtf8(reader.key()));
    this.#put(start, hash);
  }

  #put(keyStart: number, hash: number): void {
    const at = this.#size++;
    if (at >= MAX_MEMBERS)
      throw new LimitError(`a JSON object has more than ${MAX_MEMBERS} members`, {
        excess: [{ limit: 'maxMembers', allowed: MAX_MEMBERS, needed: at + 1 }],
      });
    if (at === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#hashes = grown(this.#hashes);
    }
    this.#starts[at] = keyStart;
    this.#hashes[at] = hash;
  }

  /**
   * Makes the index. Yields between pieces.
   * @throws MetadataError for a repeated key
   */
  *finish(): Generator<void, MemberIndex, void> {
    const size = this.#size;
    const { bytes } = this.#reader;
    const starts = this.#starts.slice(0, size);
    let length = 16;
    while (length < size * 2) length *= 2;
    // Positions in `starts`, plus one.
    const slots = new Uint32Array(length);
    for (let i = 0; i < size; i++) {
      if (i % STEP === 0) yield;
      const start = starts[i];
      let slot = spread(this.#hashes[i]) & (length - 1);
      for (let probes = 0; slots[slot] !== 0; probes++) {
        const other = slots[slot] - 1;
        if (this.#hashes[other] === this.#hashes[i] && isSameKey(bytes, starts[other], start))
          throw new MetadataError(`the key ${quoted(keyAt(bytes, start))} is repeated in an object`);
        if (probes >= MAX_PROBES) throw new MetadataError('the keys of a JSON object are too similar');
        slot = (slot + 1) & (length - 1);
      }
      slots[slot] = i + 1;
    }
    return new MemberIndex(bytes, starts, slots);
  }
}

export class MemberIndex {
  constructor(
    readonly bytes: Uint8Array,
    /** Positions of the keys. */
    readonly starts: Uint32Array,
    readonly slots: Uint32Array,
  ) {}

  /** The value of a key; undefined if the object has no such key. @throws MetadataError for invalid JSON */
  get(key: string): MemberSpan | undefined {
    const { bytes, starts, slots } = this;
    const wanted = encodeUtf8(key);
    let slot = spread(hashOf(wanted)) & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const start = starts[slots[slot] - 1];
      if (isKeyAt(bytes, start, wanted)) return this.#valueAfter(start);
    }
    return undefined;
  }

  #valueAfter(keyStart: number): MemberSpan {
    const reader = new JsonReader(this.bytes);
    reader.at = keyStart;
    reader.skip(Infinity);
    reader.take(COLON);
    reader.peek();
    const start = reader.at;
    reader.skip(Infinity);
    return { start, end: reader.at };
  }

  /** The keys whose last part, after a slash, is one of the names. Yields between pieces. */
  *keysNamed(names: readonly string[]): Generator<void, string[], void> {
    const endings = names.map(encodeUtf8);
    const found: string[] = [];
    for (let i = 0; i < this.starts.length; i++) {
      if (i % STEP === 0) yield;
      const key = this.#keyBytes(i);
      if (endings.some((ending) => hasEnding(key, ending))) found.push(textOf(key));
    }
    return found;
  }

  /** The members directly below a folder ("" for the top), in any order. Yields between pieces. */
  *below(folder: string): Generator<void, MembersBelow, void> {
    const prefix = encodeUtf8(folder === '' ? '' : `${folder}/`);
    const keys: string[] = [];
    const folders = new Set<string>();
    // Consecutive keys are usually in the same folder.
    let last = new Uint8Array(0);
    for (let i = 0; i < this.starts.length; i++) {
      if (i % STEP === 0) yield;
      const key = this.#keyBytes(i);
      if (!startsWith(key, prefix) || (last.length > 0 && startsWith(key, last))) continue;
      const slash = key.indexOf(SLASH, prefix.length);
      if (slash < 0) keys.push(textOf(key));
      else {
        last = key.slice(0, slash + 1);
        folders.add(textOf(key.subarray(prefix.length, slash)));
      }
    }
    return { keys, folders: [...folders] };
  }

  /** All keys below a folder at any depth, in any order. Yields between pieces. */
  *allBelow(folder: string): Generator<void, string[], void> {
    const prefix = encodeUtf8(folder === '' ? '' : `${folder}/`);
    const keys: string[] = [];
    for (let i = 0; i < this.starts.length; i++) {
      if (i % STEP === 0) yield;
      const key = this.#keyBytes(i);
      if (startsWith(key, prefix)) keys.push(textOf(key));
    }
    return keys;
  }

  /** The bytes of a key without quotes and escapes. */
  #keyBytes(i: number): Uint8Array {
    const { bytes } = this;
    const start = this.starts[i];
    let at = start + 1;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at])
      if (byte === BACKSLASH) return encodeUtf8(keyAt(bytes, start));
    return bytes.subarray(start + 1, at);
  }
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

function hashOf(key: Uint8Array): number {
  let hash = seed;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key[i], 0x01000193);
  // As it is read from an array of 32-bit numbers.
  return hash >>> 0;
}

/** The low bits of the hash depend on few bits of the key. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** @throws MetadataError for text that is not UTF-8 */
function keyAt(bytes: Uint8Array, start: number): string {
  const reader = new JsonReader(bytes.subarray(start, endOfKey(bytes, start) + 1));
  return reader.key();
}

/** @throws MetadataError for text that is not UTF-8 */
function textOf(key: Uint8Array): string {
  try {
    return decodeUtf8(key, 0, key.length);
  } catch (cause) {
    throw new MetadataError('the JSON text is not valid UTF-8', { cause });
  }
}

/** The position of the quote at the end of a key. */
function endOfKey(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  for (let byte = bytes[i]; byte !== QUOTE && i < bytes.length; byte = bytes[++i])
    if (byte === BACKSLASH) i++;
  return i;
}

function isSameKey(bytes: Uint8Array, left: number, right: number): boolean {
  return isKeyAt(bytes, left, encodeUtf8(keyAt(bytes, right)));
}

function isKeyAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  const { length } = wanted;
  let i = 0;
  // A backslash in the JSON text is the start of an escape, not a backslash of the key.
  while (i < length && wanted[i] !== BACKSLASH && bytes[start + 1 + i] === wanted[i]) i++;
  if (i === length && bytes[start + 1 + i] === QUOTE) return true;
  // Compared as text if the rest has an escape.
  const end = endOfKey(bytes, start);
  if (!bytes.subarray(start + 1 + i, end).includes(BACKSLASH) && bytes[start + 1 + i] !== BACKSLASH)
    return false;
  return keyAt(bytes, start) === decodeUtf8(wanted, 0, length);
}

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  let i = 0;
  while (i < prefix.length && key[i] === prefix[i]) i++;
  return i === prefix.length;
}

function hasEnding(key: Uint8Array, ending: Uint8Array): boolean {
  const start = key.length - ending.length;
  if (start < 0 || (start > 0 && key[start - 1] !== SLASH)) return false;
  return startsWith(key.subarray(start), ending);
}
