/** An append-only buffer that doubles its capacity when it is full. */
import { LimitError } from '../errors.js';

/** Maximum size, so that positions fit in 32 bits. */
const MAX_BYTES = 2 ** 32 - 2;

/** Maximum length of a run, in bytes, that a loop copies faster than `Uint8Array.set`. */
const SHORT = 24;

export class ByteSink {
  #memory = new Uint8Array(0);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  /** The bytes appended so far: a view that remains valid after further appends. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#used);
  }

  push(...parts: readonly Uint8Array[]): void {
    for (const part of parts) this.append(part, 0, part.length);
  }

  /**
   * Appends bytes `start` (inclusive) to `end` (exclusive).
   * @returns the position of these bytes in the buffer
   * @throws LimitError beyond `MAX_BYTES`, almost 4 GiB
   */
  append(from: Uint8Array, start: number, end: number): number {
    const at = this.#used;
    const length = end - start;
    this.#reserve(at + length);
    const memory = this.#memory;
    if (length > SHORT) memory.set(from.subarray(start, end), at);
    else for (let i = 0; i < length; i++) memory[at + i] = from[start + i];
    this.#used = at + length;
    return at;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#memory.length) return;
    if (bytes > MAX_BYTES)
      throw new LimitError(
        `the values of variable length take ${bytes} bytes; at most ${MAX_BYTES} fit in one block`,
        {
          excess: [{ limit: 'maxBlockBytes', allowed: MAX_BYTES, needed: bytes }],
        },
      );
    const grown = new Uint8Array(Math.min(MAX_BYTES, Math.max(64, bytes, this.#memory.length * 2)));
    grown.set(this.bytes);
    this.#memory = grown;
  }
}
