/**
 * Collects the encoded inner chunks of a new shard in the memory that will be stored, so that each is copied only
 * once unless the memory must grow.
 */
import { allocateUninitialised } from '#platform';
import { sizeOf } from '../../core/bytes/shape.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import type { Pause } from '../../core/turns.js';
import { placeIndex } from '../../format/codec/sharding/parts.js';
import { ENTRY_BYTES, writeEntry } from '../../format/codec/sharding/shard-index.js';

/** Number of bytes to copy before yielding. */
const BYTES_PER_TURN = 4 * 2 ** 20;
const MIN_CAPACITY = 64 * 1024;

export class ShardAssembly {
  readonly #spec: ShardSpec;
  readonly #pause: Pause;
  readonly #entries: DataView<ArrayBuffer>;
  #shard: Uint8Array;
  #end: number;
  #parts = 0;

  /** @param likelyBytes expected size of all inner chunks in bytes; unused memory costs nothing */
  constructor(spec: ShardSpec, likelyBytes: number, pause: Pause) {
    this.#spec = spec;
    this.#pause = pause;
    // Entries of absent inner chunks remain empty.
    this.#entries = new DataView(new Uint8Array(sizeOf(spec.counts) * ENTRY_BYTES).fill(255).buffer);
    this.#shard = allocateUninitialised(Math.max(MIN_CAPACITY, likelyBytes + spec.indexBytes));
    this.#end = spec.indexLocation === 'start' ? spec.indexBytes : 0;
  }

  /** Appends an inner chunk. @param entry number of its index entry */
  async place(entry: number, bytes: Uint8Array): Promise<void> {
    const offset = this.#end;
    this.#reserve(bytes.length);
    this.#parts++;
    this.#end += bytes.length;
    writeEntry(this.#entries, entry, { offset, length: bytes.length });
    for (let from = 0; from < bytes.length; from += BYTES_PER_TURN) {
      if (from > 0) await this.#pause();
      this.#shard.set(bytes.subarray(from, from + BYTES_PER_TURN), offset + from);
    }
  }

  /** @returns undefined if there are no inner chunks */
  async finish(): Promise<Uint8Array | undefined> {
    if (this.#parts === 0) return undefined;
    if (this.#spec.indexLocation === 'end') this.#reserve(this.#spec.indexBytes);
    const atEnd = this.#spec.indexLocation === 'end';
    const placing = placeIndex(
      this.#spec,
      new Uint8Array(this.#entries.buffer),
      this.#shard,
      atEnd ? this.#end : 0,
    );
    while (placing.next().done !== true) await this.#pause();
    return this.#shard.subarray(0, this.#end + (atEnd ? this.#spec.indexBytes : 0));
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#shard.length) return;
    const larger = allocateUninitialised(Math.max(needed, 2 * this.#shard.length));
    larger.set(this.#shard.subarray(0, this.#end));
    this.#shard = larger;
  }
}
