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

/** A chunk that is not decoded within `add`. */
export interface Queued {
  /** Resolves when the encoded bytes are not needed any more; undefined: they are not. */
  readonly taken: Promise<void> | undefined;
  /** Rejects as decodeChunk throws. */
  readonly decoded: Promise<void>;
}

/** How long this thread decodes before it lets others have a turn. */
const TURN_MS = 1;

interface Waiting {
  readonly task: ReadTask;
  readonly encoded: Uint8Array;
  readonly onDecoded: OnDecoded | undefined;
  readonly taken: Deferred;
  readonly decoded: Deferred;
}

export class ChunkQueue {
  readonly #plan: ReadPlan;
  readonly #result: MutableValues;
  readonly #options: QueueOptions;
  readonly #decoder: Decoder | undefined;
  #waiting: Waiting[] = [];
  #isRunning = false;
  /** When this thread has decoded enough for a turn. */
  #turnEnds = 0;
  /** Chunks of the plan that were not added yet: at most, since some may not be stored. */
  #toCome: number;
  /** Chunks that the threads are at. */
  #handedOver = 0;

  constructor(plan: ReadPlan, result: MutableValues, options: QueueOptions) {
    this.#plan = plan;
    this.#result = result;
    this.#options = options;
    this.#toCome = plan.cost.chunks;
    const { decoder } = options;
    // One chunk is decoded sooner here than there and back, if this thread has nothing better to do.
    const isWorth = plan.cost.chunks > 1 || !options.decodesHere;
    const shared = decoder !== undefined && isWorth && decoder.takes(plan.units.chain, plan.cost.chunkBytes);
    this.#decoder = shared ? decoder : undefined;
  }

  /** Every chunk is decoded within `add`, on this thread alone. */
  get decodesAtOnce(): boolean {
    return this.#decoder === undefined;
  }

  /** Decodes the chunk to its place, now or soon. @returns undefined where it is done already. @throws as decodeChunk */
  add(task: ReadTask, encoded: Uint8Array, onDecoded?: OnDecoded): Queued | undefined {
    if (this.#decoder === undefined) {
      this.#decodeHere(task, encoded, onDecoded);
      return undefined;
    }
    const one = { task, encoded, onDecoded, taken: deferred(), decoded: deferred() };
    this.#waiting.push(one);
    this.#toCome--;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#turnEnds = performance.now() + TURN_MS;
      this.#run(this.#decoder).catch((error: unknown) => this.#rejectAll(error));
    }
    // Chunks that arrive together are handed over together.
    this.#advance(this.#decoder, false);
    return { taken: one.taken.isOver() ? undefined : one.taken.promise, decoded: one.decoded.promise };
  }

  #decodeHere(task: ReadTask, encoded: Uint8Array, onDecoded: OnDecoded | undefined): void {
    const chunk = placeEncoded(this.#plan, task, encoded, this.#result, this.#options.itemLimit());
    if ('items' in chunk.values) this.#options.charge(chunk.values.items);
    onDecoded?.(chunk);
  }

  /** Works off what waits, turn by turn. */
  async #run(decoder: Decoder): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      if (this.#options.signal.aborted) {
        this.#rejectAll(new AbortedError('the request was cancelled'));
        break;
      }
      this.#turnEnds = performance.now() + TURN_MS;
      this.#advance(decoder, true);
      if (this.#waiting.length === 0) break;
      await (this.#mayDecode(decoder) ? nextTurn() : decoder.whenRoom());
    }
    this.#isRunning = false;
  }

  #mayDecode(decoder: Decoder): boolean {
    return this.#options.decodesHere || !decoder.usable;
  }

  /** Hands over what the threads take and decodes here what they do not, as long as the turn lasts. */
  #advance(decoder: Decoder, hasAllOfTurn: boolean): void {
    while (this.#waiting.length > 0) {
      const room = this.#roomOf(decoder);
      if (room > 0) {
        if (!hasAllOfTurn && this.#waiting.length < room) return;
        this.#handOver(decoder, this.#waiting.splice(0, room));
        continue;
      }
      if (!this.#mayDecode(decoder) || performance.now() >= this.#turnEnds) return;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#decodeNow(next, next.encoded);
    }
  }

  /**
   * How many chunks a thread takes now. Of the last ones this thread keeps its part, so that all end at the same time.
   */
  #roomOf(decoder: Decoder): number {
    if (!this.#options.decodesHere) return decoder.room(this.#plan.cost.chunkBytes);
    const left = this.#waiting.length + Math.max(0, this.#toCome);
    if (this.#handedOver >= left * decoder.threads) return 0;
    const share = Math.max(1, Math.floor(left / (decoder.threads + 1)));
    return Math.min(share, decoder.room(this.#plan.cost.chunkBytes));
  }

  #decodeNow(one: Waiting, encoded: Uint8Array): void {
    try {
      this.#decodeHere(one.task, encoded, one.onDecoded);
      one.decoded.resolve();
    } catch (error) {
      one.decoded.reject(asError(error));
    }
    one.taken.resolve();
  }

  #handOver(decoder: Decoder, some: readonly Waiting[]): void {
    const encoded = some.map((one) => one.encoded);
    this.#handedOver += some.length;
    decoder.decode(this.#plan.units.chain, this.#plan.cost.chunkBytes, encoded, (i, result) => {
      const one = some[i];
      this.#handedOver--;
      if (one === undefined) return;
      if ('error' in result) return one.decoded.reject(result.error);
      // The thread is gone, not the chunk wrong.
      if ('encoded' in result) return this.#decodeNow(one, result.encoded);
      placeDecoded(this.#plan, one.task, result.chunk, this.#result);
      one.onDecoded?.(result.chunk);
      one.decoded.resolve();
    });
    for (const one of some) one.taken.resolve();
  }

  #rejectAll(error: unknown): void {
    this.#isRunning = false;
    for (const one of this.#waiting.splice(0)) {
      one.decoded.reject(asError(error));
      one.taken.resolve();
    }
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  isOver(): boolean;
  resolve(): void;
  reject(error: Error): void;
}

function deferred(): Deferred {
  let isOver = false;
  let fulfil = (): void => {};
  let refuse = (_: Error): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    fulfil = resolve;
    refuse = reject;
  });
  return {
    promise,
    isOver: () => isOver,
    resolve: () => {
      isOver = true;
      fulfil();
    },
    reject: (error) => {
      isOver = true;
      refuse(error);
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
