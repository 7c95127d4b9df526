/** Reads the MessagePack of a chunk value by value. */
import type { ItemStore } from '../../bytes/items.js';
import { MsgpackReader } from '../../bytes/msgpack.js';
import { contentsOfJson } from '../../dtype/json-contents.js';
import { CodecError } from '../../errors.js';
import { metadataBounds } from '../../limits.js';
import type { ValueReader } from './object-list.js';

export class MsgpackValues implements ValueReader {
  readonly #reader: MsgpackReader;
  readonly #length: number;
  /** For each open list, the number of remaining entries. */
  readonly #lists: number[] = [];

  /** @param raw whether texts are returned as bytes */
  constructor(bytes: Uint8Array, raw: boolean) {
    this.#reader = new MsgpackReader(bytes, raw);
    this.#length = bytes.length;
  }

  get at(): number {
    return this.#reader.at;
  }

  set at(at: number) {
    this.#reader.at = at;
  }

  get isAtEnd(): boolean {
    return this.at === this.#length;
  }

  enter(): boolean {
    const count = this.#reader.openList();
    if (count === undefined) return false;
    // A value takes at least one byte.
    if (count > this.#length - this.at)
      throw new CodecError(`codec "msgpack2": ${count} values are declared, but too few bytes remain`);
    this.#lists.push(count);
    return true;
  }

  next(): boolean {
    const left = this.#lists.pop() ?? 0;
    if (left === 0) return false;
    this.#lists.push(left - 1);
    return true;
  }

  skip(): void {
    this.#reader.skip();
  }

  value(): unknown {
    return this.#reader.read(metadataBounds.maxObjectBytes);
  }

  jsonItem(items: ItemStore, i: number): void {
    items.set(i, contentsOfJson(this.value()));
  }
}
