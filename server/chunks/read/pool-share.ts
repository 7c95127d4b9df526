/** Shares the chunks of a read between the pool and this thread, which decodes in time slices of 1 ms. */
import { allowManyListeners } from '#platform';
import { AbortedError, CodecError } from '../../core/errors.js';
import type { DecodeWay } from './choose.js';
import type { DecodeJob, DecodeStage } from './decode-stage.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { type Handling, asError, deferred, type Deferred, settleWith } from '../../core/deferred.js';
import { releaseBuffer } from '../../core/bytes/buffer-pool.js';
import { nextTurn, turnMs } from '../../core/turns.js';
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import type { Decoded } from '../../threads/outcomes.js';

/** Number of lost threads after which a chunk fails. */
const MAX_LOSSES = 2;

interface Waiting extends DecodeJob {
  /** Number of threads lost while decoding this chunk. */
  readonly losses: number;
  readonly released: Deferred;
  readonly done: Deferred;
}

export class PoolShare {
  readonly #stage: DecodeStage;
  readonly #pool: CodecPool;
  readonly #chunkBytes: number;
  readonly #way: Extract<DecodeWay, { by: 'pool' }>;
  readonly #isLarge: boolean;
  readonly #signal: AbortSignal;
  #waiting: Waiting[] = [];
  /** Number of bytes to decode in the waiting chunks, each up to the last needed byte. */
  #waitingBytes = 0;
  /** Maximum number of chunks that have not arrived; some may be absent. */
  #toCome: number;
  readonly #inPool = new Set<Waiting>();
  /** Number of bytes to decode in the chunks that are in the pool. */
  #poolBytes = 0;
  #isRunning = false;

  constructor(stage: DecodeStage, pool: CodecPool, way: Extract<DecodeWay, { by: 'pool' }>) {
    const { cost } = stage.plan;
    const { signal } = stage.options;
    this.#stage = stage;
    this.#pool = pool;
    this.#chunkBytes = cost.chunkBytes;
    this.#isLarge = cost.chunkBytes > LARGE_CHUNK_BYTES;
    this.#toCome = cost.chunks;
    this.#way = way;
    this.#signal = signal;
    allowManyListeners(signal);
    signal.addEventListener('abort', () => this.#abandon(), { once: true });
  }

  add(job: DecodeJob): Handling {
    const chunk = { losses: 0, released: deferred(), done: deferred(), ...job };
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.needed.end;
    this.#toCome--;
    this.#start();
    // A full message is sent immediately if the pool has no chunks of this read. All other chunks wait until the
    // next turn, when more chunks have arrived and can be balanced better.
    if (this.#poolBytes === 0) this.#sendShare(true);
    return {
      released: chunk.released.isOver() ? undefined : chunk.released.promise,
      done: chunk.done.promise,
    };
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run().catch((error: unknown) => this.#rejectAll(asError(error)));
  }

  /** Processes the waiting chunks in several turns of the event loop. */
  async #run(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      if (this.#signal.aborted) {
        this.#rejectAll(new AbortedError('the request was cancelled'));
        break;
      }
      this.#advance();
      if (this.#waiting.length === 0) break;
      await (this.#mayDecode ? nextTurn() : this.#pool.whenAvailable(this.#chunkBytes, this.#signal));
    }
    this.#isRunning = false;
  }

  get #mayDecode(): boolean {
    return this.#pool.isOver || this.#way.alsoHere;
  }

  /** Sends the chunks that the pool accepts and decodes other chunks on this thread, for one turn. */
  #advance(): void {
    const turnEnds = performance.now() + turnMs.step;
    while (this.#waiting.length > 0) {
      if (this.#sendShare(false)) continue;
      if (!this.#mayDecode || performance.now() >= turnEnds) return;
      const [next] = this.#take(1);
      if (next !== undefined) this.#decodeHere(next);
    }
  }

  /**
   * Sends as many chunks as fit into one message. If this thread decodes, keeps a share of the last chunks here, so
   * that all threads finish at the same time.
   * @param onlyWhole whether to send only full messages
   * @returns whether anything was sent
   */
  #sendShare(onlyWhole: boolean): boolean {
    const capacity = this.#pool.capacity(this.#chunkBytes);
    // Must not iterate over all waiting chunks, because `add` calls this method for every chunk.
    if (capacity === 0 || (onlyWhole && this.#waiting.length < capacity)) return false;
    let left = this.#waitingBytes + Math.max(0, this.#toCome) * this.#chunkBytes;
    let sent = this.#poolBytes;
    let count = 0;
    for (const { needed } of this.#waiting) {
      left -= needed.end;
      sent += needed.end;
      const isOurs = this.#way.alsoHere && sent > left * this.#pool.threads;
      if (count === capacity || isOurs) break;
      count++;
    }
    if (count === 0 || (onlyWhole && count < capacity)) return false;
    this.#send(this.#take(count));
    return true;
  }

  #take(count: number): Waiting[] {
    const taken = this.#waiting.splice(0, count);
    this.#waitingBytes -= neededOf(taken);
    return taken;
  }

  #decodeHere(chunk: Waiting): void {
    settleWith(chunk.done, () => {
      if (!this.#way.ifLost)
        throw new CodecError(
          'no decoding thread can decode the chunk, and decoding it inline would block the event loop for too long',
        );
      return this.#stage.run(chunk);
    });
    chunk.released.resolve();
  }

  #send(chunks: readonly Waiting[]): void {
    const sent = chunks.map((chunk) => ({
      encoded: chunk.encoded,
      needed: chunk.needed,
      reduce: this.#stage.reduceWork(chunk),
    }));
    this.#poolBytes += neededOf(chunks);
    for (const chunk of chunks) this.#inPool.add(chunk);
    const taken = this.#pool.decode(
      this.#stage.plan.layout.chain,
      this.#chunkBytes,
      sent,
      (i, result) => {
        const chunk = chunks[i];
        if (chunk === undefined) return;
        this.#poolBytes -= chunk.needed.end;
        // Does nothing for a cancelled read, because the memory of its result may have been reused.
        if (this.#inPool.delete(chunk)) this.#received(chunk, result);
      },
      this.#signal,
    );
    const release = (): void => {
      for (const chunk of chunks) chunk.released.resolve();
    };
    if (taken === undefined) release();
    else taken.then(release, release);
  }

  #received(waiting: Waiting, result: Decoded): void {
    if ('error' in result) return waiting.done.reject(result.error);
    // The thread was lost, but the chunk itself may be valid.
    if ('encoded' in result) return this.#tryAgain({ ...waiting, encoded: result.encoded });
    const { chunk, partial } = result;
    if (partial !== undefined)
      return settleWith(waiting.done, () => {
        this.#stage.receivePartial(waiting, partial);
        return undefined;
      });
    if (!this.#isLarge) return settleWith(waiting.done, () => this.#stage.receive(waiting, chunk));
    this.#stage.receiveLarge(waiting, chunk).then(
      () => {
        if ('bytes' in chunk.values) releaseBuffer(chunk.values.bytes.buffer);
        waiting.done.resolve();
      },
      (error: unknown) => waiting.done.reject(asError(error)),
    );
  }

  #tryAgain(chunk: Waiting): void {
    const losses = chunk.losses + 1;
    if (this.#pool.isOver) return this.#decodeHere(chunk);
    if (losses >= MAX_LOSSES)
      return chunk.done.reject(
        new CodecError(`decoding threads exited while decoding this chunk (${losses} times)`),
      );
    this.#waiting.unshift({ ...chunk, losses });
    this.#waitingBytes += chunk.needed.end;
    this.#start();
  }

  /** Cancels the read. Its chunks in the pool are not awaited. */
  #abandon(): void {
    const error = new AbortedError('the request was cancelled');
    for (const chunk of this.#inPool) chunk.done.reject(error);
    this.#inPool.clear();
    this.#rejectAll(error);
  }

  #rejectAll(error: Error): void {
    this.#isRunning = false;
    for (const chunk of this.#take(this.#waiting.length)) {
      chunk.done.reject(error);
      chunk.released.resolve();
    }
  }
}

function neededOf(chunks: readonly Waiting[]): number {
  return chunks.reduce((sum, { needed }) => sum + needed.end, 0);
}
