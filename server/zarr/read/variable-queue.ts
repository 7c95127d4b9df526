/**
 * Chunks of variable length that have arrived. Small ones are decoded at once; those that turn out large go to threads,
 * one after the other, so that each may take all the memory that the read has left.
 */
import type { MutableValues } from '../bytes/values.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import type { OnDecoded, Queued, QueueOptions } from './queued-chunk.js';
import { decodeVariable } from './pool/decode-variable.js';
import type { CodecPool } from './pool/codec-pool.js';
import { placeDecoded } from './place.js';
import type { ReadPlan, ReadTask } from './plan.js';

export class VariableQueue {
  readonly #plan: ReadPlan;
  readonly #result: MutableValues;
  readonly #options: QueueOptions;
  readonly #decoder: CodecPool;
  #last: Promise<void> = Promise.resolve();
  /** Chunks that threads are at, or that wait for that. */
  #count = 0;

  constructor(plan: ReadPlan, result: MutableValues, options: QueueOptions, decoder: CodecPool) {
    this.#plan = plan;
    this.#result = result;
    this.#options = options;
    this.#decoder = decoder;
  }

  /** @returns undefined where it is done already. @throws as decodeChunk */
  add(task: ReadTask, encoded: Uint8Array, onDecoded: OnDecoded | undefined): Queued | undefined {
    const decode = () => this.#decode(encoded);
    const place = (chunk: DecodedChunk): void => {
      if ('items' in chunk.values) this.#options.charge(chunk.values.items);
      placeDecoded(this.#plan, task, chunk, this.#result);
      onDecoded?.(chunk);
    };
    const first = this.#count === 0 ? decode() : this.#last.then(decode);
    if (!(first instanceof Promise)) {
      place(first);
      return undefined;
    }
    this.#count++;
    const decoded = first.then(place);
    const ended = (): void => {
      this.#count--;
    };
    this.#last = decoded.then(ended, ended);
    return { taken: this.#last, decoded };
  }

  #decode(encoded: Uint8Array): DecodedChunk | Promise<DecodedChunk> {
    const { layout, cost } = this.#plan;
    const { signal } = this.#options;
    const limit = this.#options.itemLimit();
    return decodeVariable(layout.chain, encoded, cost.chunkBytes, limit, this.#decoder, signal);
  }
}
