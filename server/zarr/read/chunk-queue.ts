/**
 * Chunks that have arrived and are not decoded yet. Those of slow codecs are shared between the decoding threads and
 * this one, which works on them piece by piece, so that it stays open to everything else; others are decoded at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MutableValues } from '../bytes/values.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import { AbortedError } from '../errors.js';
import type { Decoder } from './decoder.js';
import { placeDecoded, placeEncoded } from './place.js';
import type { ReadPlan, ReadTask } from './plan.js';

export interface QueueOptions {
  readonly decoder: Decoder | undefined;
  /** Whether this thread decodes as well, while the others have enough to do. */
  readonly decodesHere: boolean;
  readonly signal: AbortSignal;
  /** Bytes that a chunk's values of variable length may take. */
  itemLimit(): number;
  /** What a chunk's values of variable length took. */
  charge(items: readonly unknown[]): void;
}

/** Who wants to see a chunk when it is decoded; its bytes are valid only within the call. */
export type OnDecoded = (chunk: DecodedChunk) => void;

interface Waiting {
  readonly task: ReadTask;
  readonly encoded: Uint8Array;
  readonly onDecoded: OnDecoded | undefined;
  resolve(): void;
  reject(error: Error): void;
}

/** How long this thread decodes before it lets others have a turn. */
const TURN_MS = 1;

export class ChunkQueue {
  readonly #plan: ReadPlan;
  readonly #result: MutableValues;
  readonly #options: QueueOptions;
  readonly #decoder: Decoder | undefined;
  #waiting: Waiting[] = [];
  #running = false;
  /** Chunks that the threads are at. */
  #handedOver = 0;

  constructor(plan: ReadPlan, result: MutableValues, options: QueueOptions) {
    this.#plan = plan;
    this.#result = result;
    this.#options = options;
    const { decoder } = options;
    // One chunk is decoded sooner here than there and back, if this thread has nothing better to do.
    const isWorth = plan.cost.chunks > 1 || !options.decodesHere;
    const shared = decoder !== undefined && isWorth && decoder.takes(plan.units.chain, plan.cost.chunkBytes);
    this.#decoder = shared ? decoder : undefined;
  }

  /** Whether every chunk is decoded within `add`, so that its bytes are not needed afterwards. */
  get isImmediate(): boolean {
    return this.#decoder === undefined;
  }

  /** Decodes the chunk to its place, now or soon. @returns undefined where it is done already. @throws as decodeChunk */
  add(task: ReadTask, encoded: Uint8Array, onDecoded?: OnDecoded): Promise<void> | undefined {
    if (this.#decoder === undefined) {
      this.#decodeHere(task, encoded, onDecoded);
      return undefined;
    }
    const decoder = this.#decoder;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, encoded, onDecoded, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      this.#run(decoder).catch((error: unknown) => this.#rejectAll(error));
    });
  }

  #decodeHere(task: ReadTask, encoded: Uint8Array, onDecoded: OnDecoded | undefined): void {
    const chunk = placeEncoded(this.#plan, task, encoded, this.#result, this.#options.itemLimit());
    if ('items' in chunk.values) this.#options.charge(chunk.values.items);
    onDecoded?.(chunk);
  }

  async #run(decoder: Decoder): Promise<void> {
    // Chunks that arrive together are handed over together.
    await nextTurn();
    while (this.#waiting.length > 0) {
      if (this.#options.signal.aborted) {
        this.#rejectAll(new AbortedError('the request was cancelled'));
        break;
      }
      const count = this.#shareOf(decoder);
      if (count > 0) this.#handOver(decoder, this.#waiting.splice(0, count));
      else if (!this.#options.decodesHere && decoder.usable) await decoder.whenRoom();
      else {
        this.#decodeSome();
        await nextTurn();
      }
    }
    this.#running = false;
  }

  /**
   * How many chunks to hand over now. Of few chunks this thread keeps its part, so that all end at the same time; one
   * that does not decode hands over all it can.
   */
  #shareOf(decoder: Decoder): number {
    const room = decoder.room(this.#plan.cost.chunkBytes);
    const waiting = this.#waiting.length;
    if (!this.#options.decodesHere) return Math.min(room, waiting);
    if (this.#handedOver >= waiting * decoder.threads) return 0;
    return Math.min(room, Math.max(1, Math.floor(waiting / (decoder.threads + 1))));
  }

  #decodeSome(): void {
    const until = performance.now() + TURN_MS;
    do {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      this.#decodeNow(next);
    } while (performance.now() < until);
  }

  #decodeNow(one: Waiting): void {
    try {
      this.#decodeHere(one.task, one.encoded, one.onDecoded);
      one.resolve();
    } catch (error) {
      one.reject(asError(error));
    }
  }

  #handOver(decoder: Decoder, some: readonly Waiting[]): void {
    const encoded = some.map((one) => one.encoded);
    this.#handedOver += some.length;
    const done = decoder.decode(this.#plan.units.chain, this.#plan.cost.chunkBytes, encoded, (i, decoded) => {
      const one = some[i];
      if (one === undefined) return;
      if ('error' in decoded) return one.reject(decoded.error);
      placeDecoded(this.#plan, one.task, decoded.chunk, this.#result);
      one.onDecoded?.(decoded.chunk);
      one.resolve();
    });
    const finished = (): number => (this.#handedOver -= some.length);
    done.then(finished, () => {
      finished();
      // The thread is gone, not the chunk wrong: it is decoded here.
      for (const one of some) this.#decodeNow(one);
    });
  }

  #rejectAll(error: unknown): void {
    this.#running = false;
    for (const one of this.#waiting.splice(0)) one.reject(asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
