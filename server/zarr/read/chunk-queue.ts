/**
 * Chunks that have arrived and are not decoded yet. Those of slow codecs are shared between the decoding threads and
 * this one, which works on them piece by piece, so that it stays open to everything else; others are decoded at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MutableValues } from '../bytes/values.js';
import { decodeChunk, type DecodedChunk } from '../codec/decode-chunk.js';
import { isFixedSize } from '../dtype/data-type.js';
import { AbortedError, CodecError } from '../errors.js';
import { isTrivial } from '../codec/codec.js';
import { decodingNsPerByte } from '../codec/speed.js';
import { asError, deferred, type Deferred } from './deferred.js';
import type { CodecPool } from './pool/codec-pool.js';
import { largeChunkBytes, releaseBuffer } from './pool/large-buffers.js';
import type { Decoded } from './pool/outcomes.js';
import { neededBytes, placeDecoded, placeEncoded, placeInTurns } from './place.js';
import type { ReadPlan, ReadTask } from './plan.js';
import type { OnDecoded, Queued, QueueOptions } from './queued-chunk.js';
import { VariableQueue } from './variable-queue.js';
import { runLater, runNow } from '../turns.js';

/** How long this thread decodes before it lets others have a turn. */
const TURN_MS = 1;
/** A chunk that takes longer is not decoded on a thread that serves requests. */
const MAX_BLOCKING_NS = 20_000_000;
/** A chunk with which so many threads were lost is not tried again. */
const MAX_LOSSES = 2;

interface Arrived {
  readonly task: ReadTask;
  readonly encoded: Uint8Array;
  /** Bytes of the decoded chunk's beginning that are needed. */
  readonly needed: number;
  readonly onDecoded: OnDecoded | undefined;
}

interface Waiting extends Arrived {
  /** Threads that were lost with this chunk. */
  readonly losses: number;
  readonly taken: Deferred;
  readonly decoded: Deferred;
}

export class ChunkQueue {
  readonly #plan: ReadPlan;
  readonly #result: MutableValues;
  readonly #options: QueueOptions;
  readonly #decoder: CodecPool | undefined;
  #waiting: Waiting[] = [];
  #isRunning = false;
  /** Chunks of the plan that were not added yet: at most, since some may not be stored. */
  #toCome: number;
  /** Bytes that are needed of the chunks that wait. */
  #waitingBytes = 0;
  readonly #isLarge: boolean;
  /** For values of variable length, where there are threads. */
  readonly #variable: VariableQueue | undefined;
  /** Nothing is decoded, but what is copied would take this thread for too long. */
  readonly #copiesInTurns: boolean;
  readonly #inThreads = new Set<Waiting>();
  /** Bytes of those that the threads are at. */
  #threadBytes = 0;

  constructor(plan: ReadPlan, result: MutableValues, options: QueueOptions) {
    this.#plan = plan;
    this.#result = result;
    this.#options = options;
    this.#toCome = plan.cost.chunks;
    const { decoder } = options;
    // One chunk is decoded sooner here than there and back, if this thread has nothing better to do.
    const isWorth = plan.cost.chunks > 1 || !options.decodesHere;
    const { chain } = plan.layout;
    this.#isLarge = plan.cost.chunkBytes > largeChunkBytes;
    const shared =
      decoder !== undefined && (isWorth || this.#isLarge) && decoder.accepts(chain, plan.cost.chunkBytes);
    this.#decoder = shared ? decoder : undefined;
    if (decoder !== undefined && isWorth && !isFixedSize(plan.dtype))
      this.#variable = new VariableQueue(plan, result, options, decoder);
    this.#copiesInTurns = this.#isLarge && !options.decodesHere && isTrivial(chain);
    if (shared) options.signal.addEventListener('abort', () => this.#abandon(), { once: true });
  }

  /** Every chunk is decoded within `add`, on this thread alone. */
  get decodesAtOnce(): boolean {
    return this.#decoder === undefined;
  }

  /** Decodes the chunk to its place, now or soon. @returns undefined where it is done already. @throws as decodeChunk */
  add(task: ReadTask, encoded: Uint8Array, onDecoded?: OnDecoded): Queued | undefined {
    // One that somebody else sees, too, is needed as a whole.
    const needed = onDecoded === undefined ? neededBytes(this.#plan, task) : this.#plan.cost.chunkBytes;
    const chunk = { task, encoded, needed, onDecoded };
    if (this.#copiesInTurns) return this.#copyInTurns(chunk);
    if (this.#variable !== undefined) return this.#variable.add(task, encoded, onDecoded);
    if (this.#decoder === undefined) {
      if (this.#options.decodesHere) this.#decodeHere(chunk, encoded);
      else if (!runNow(() => this.#decodeHere(chunk, encoded))) return this.#decodeLater(chunk);
      return undefined;
    }
    const one = { ...chunk, losses: 0, taken: deferred(), decoded: deferred() };
    this.#waiting.push(one);
    this.#waitingBytes += needed;
    this.#toCome--;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#run(this.#decoder).catch((error: unknown) => this.#rejectAll(error));
    }
    // An idle thread begins at once. All else waits for the turn's end, when more has arrived and can be shared better.
    if (this.#threadBytes === 0) this.#handOverShare(this.#decoder, true);
    return { taken: one.taken.isOver() ? undefined : one.taken.promise, decoded: one.decoded.promise };
  }

  /** In a turn of its own: this thread has requests to serve as well. */
  #decodeLater(chunk: Arrived): Queued {
    const one = { ...chunk, losses: 0, taken: deferred(), decoded: deferred() };
    runLater(() => {
      if (!this.#options.signal.aborted) return this.#decodeNow(one, one.encoded);
      one.decoded.reject(new AbortedError('the request was cancelled'));
      one.taken.resolve();
    });
    return { taken: one.taken.promise, decoded: one.decoded.promise };
  }

  #decodeHere({ task, onDecoded, needed }: Arrived, encoded: Uint8Array): void {
    const limit = this.#options.itemLimit();
    const chunk = placeEncoded(this.#plan, task, encoded, this.#result, limit, needed);
    if ('items' in chunk.values) this.#options.charge(chunk.values.items);
    onDecoded?.(chunk);
  }

  /** Works off what waits, turn by turn. */
  async #run(decoder: CodecPool): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      if (this.#options.signal.aborted) {
        this.#rejectAll(new AbortedError('the request was cancelled'));
        break;
      }
      this.#advance(decoder);
      if (this.#waiting.length === 0) break;
      await (this.#mayDecode(decoder)
        ? nextTurn()
        : decoder.whenAvailable(this.#plan.cost.chunkBytes, this.#options.signal));
    }
    this.#isRunning = false;
  }

  #mayDecode(decoder: CodecPool): boolean {
    return decoder.isOver || (this.#options.decodesHere && !this.#isLarge);
  }

  /** Hands over what the threads take and decodes here what they do not, for one turn. */
  #advance(decoder: CodecPool): void {
    const turnEnds = performance.now() + TURN_MS;
    while (this.#waiting.length > 0) {
      if (this.#handOverShare(decoder, false)) continue;
      if (!this.#mayDecode(decoder) || performance.now() >= turnEnds) return;
      const [next] = this.#take(1);
      if (next !== undefined) this.#decodeNow(next, next.encoded);
    }
  }

  /**
   * Hands over as many chunks as one message takes. Of the last ones this thread keeps its part, so that all end at the
   * same time.
   * @param onlyWhole not fewer than that
   * @returns whether there were any
   */
  #handOverShare(decoder: CodecPool, onlyWhole: boolean): boolean {
    const { chunkBytes } = this.#plan.cost;
    const room = decoder.capacity(chunkBytes);
    // `add` asks for every chunk: it must not look at all that wait each time.
    if (room === 0 || (onlyWhole && this.#waiting.length < room)) return false;
    let left = this.#waitingBytes + Math.max(0, this.#toCome) * chunkBytes;
    let given = this.#threadBytes;
    let count = 0;
    for (const { needed } of this.#waiting) {
      left -= needed;
      given += needed;
      if (count === room || (this.#options.decodesHere && given > left * decoder.threads && !this.#isLarge))
        break;
      count++;
    }
    if (count === 0 || (onlyWhole && count < room)) return false;
    this.#handOver(decoder, this.#take(count));
    return true;
  }

  #take(count: number): Waiting[] {
    const taken = this.#waiting.splice(0, count);
    this.#waitingBytes -= bytesOf(taken);
    return taken;
  }

  #decodeNow(one: Waiting, encoded: Uint8Array): void {
    try {
      if (!this.#options.decodesHere && this.#blocksFor() > MAX_BLOCKING_NS)
        throw new CodecError('no decoding thread is left, and the chunk would take this one for too long');
      this.#decodeHere(one, encoded);
      one.decoded.resolve();
    } catch (error) {
      one.decoded.reject(asError(error));
    }
    one.taken.resolve();
  }

  /** How long decoding a chunk takes, roughly. */
  #blocksFor(): number {
    return decodingNsPerByte(this.#plan.layout.chain) * this.#plan.cost.chunkBytes;
  }

  #handOver(decoder: CodecPool, some: readonly Waiting[]): void {
    const chunks = some.map(({ encoded, needed }) => ({ encoded, until: needed }));
    this.#threadBytes += bytesOf(some);
    for (const one of some) this.#inThreads.add(one);
    const { signal } = this.#options;
    const { chain } = this.#plan.layout;
    const taken = decoder.decode(
      chain,
      this.#plan.cost.chunkBytes,
      chunks,
      (i, result) => {
        const one = some[i];
        if (one === undefined) return;
        this.#threadBytes -= one.needed;
        // Not one whose read was cancelled: its result may be somebody else's memory by now.
        if (this.#inThreads.delete(one)) this.#receive(decoder, one, result);
      },
      signal,
    );
    const release = (): void => {
      for (const one of some) one.taken.resolve();
    };
    if (taken === undefined) release();
    else taken.then(release, release);
  }

  #receive(decoder: CodecPool, one: Waiting, result: Decoded): void {
    if ('error' in result) return one.decoded.reject(result.error);
    // The thread is gone, not the chunk wrong.
    if ('encoded' in result) return this.#tryAgain(decoder, one, result.encoded);
    const { chunk } = result;
    if (!this.#isLarge) {
      placeDecoded(this.#plan, one.task, chunk, this.#result);
      one.onDecoded?.(chunk);
      return one.decoded.resolve();
    }
    this.#placeLarge(one, chunk).then(
      () => {
        if ('bytes' in chunk.values) releaseBuffer(chunk.values.bytes.buffer);
        one.decoded.resolve();
      },
      (error: unknown) => one.decoded.reject(asError(error)),
    );
  }

  async #placeLarge(one: Arrived, chunk: DecodedChunk): Promise<void> {
    await placeInTurns(this.#plan, one.task, chunk, this.#result, this.#options.signal);
    one.onDecoded?.(chunk);
  }

  #copyInTurns(chunk: Arrived): Queued {
    const decoded = decodeChunk(this.#plan.layout.chain, chunk.encoded, this.#options.itemLimit());
    const placed = this.#placeLarge(chunk, decoded);
    return { taken: placed.catch(() => undefined), decoded: placed };
  }

  #tryAgain(decoder: CodecPool, one: Waiting, encoded: Uint8Array): void {
    const losses = one.losses + 1;
    if (decoder.isOver) return this.#decodeNow(one, encoded);
    if (losses >= MAX_LOSSES)
      return one.decoded.reject(
        new CodecError(`decoder workers exited while decoding this chunk (${losses} times)`),
      );
    this.#waiting.unshift({ ...one, encoded, losses });
    this.#waitingBytes += one.needed;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run(decoder).catch((error: unknown) => this.#rejectAll(error));
  }

  /** The read is cancelled: nobody waits for the threads. */
  #abandon(): void {
    const error = new AbortedError('the request was cancelled');
    for (const one of this.#inThreads) one.decoded.reject(error);
    this.#inThreads.clear();
    this.#rejectAll(error);
  }

  #rejectAll(error: unknown): void {
    this.#isRunning = false;
    for (const one of this.#take(this.#waiting.length)) {
      one.decoded.reject(asError(error));
      one.taken.resolve();
    }
  }
}

function bytesOf(chunks: readonly Waiting[]): number {
  return chunks.reduce((sum, { needed }) => sum + needed, 0);
}
