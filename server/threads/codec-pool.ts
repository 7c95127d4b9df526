/**
 * The pool of decoding threads. It accepts chunks whose decoding takes longer than a message, and chunks that
 * would block the calling thread. Lost threads are replaced; idle threads do not keep a program alive.
 */
import { allowManyListeners } from '#platform';
import { availableParallelism } from 'node:os';
import type { Items } from '../core/bytes/items.js';
import type { CodecChain } from '../format/codec/codec.js';
import { encodeChunk, isTrivial } from '../format/codec/run-chain.js';
import { decodingNsPerByte, encodingNsPerByte } from '../format/codec/speed.js';
import { AbortedError, CodecError, LimitError, throwIfAborted } from '../core/errors.js';
import { isFixedSize } from '../core/dtype/data-type.js';
import {
  type BoxJob,
  isLargeJob,
  type JobChunks,
  type JobRead,
  type TakeBack,
  type UseResults,
} from './job.js';
import { PoolThread } from './pool-thread.js';
import type { JobReply } from './protocol.js';
import { SLOT_BYTES } from './slots.js';
import { LARGE_CHUNK_BYTES } from '../core/bytes/large-buffers.js';
import type { Workspace } from './workspace.js';

/** Whether a pool can be started without `entry`: TypeScript sources, as in tests, have no program for threads. */
export const hasThreads: boolean = !import.meta.url.endsWith('.ts');

export interface ReserveOptions {
  /** Whether the thread also writes a file, so that smaller chunks are worth a message. */
  readonly writes?: boolean;
  /** Whether to wait for capacity. The caller must not hold any capacity. */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface CodecPoolOptions {
  /** @default the number of processors minus one, at least 1 */
  readonly threads?: number;
  /** URL of the thread's program. @default the file next to this one */
  readonly entry?: URL;
  /** Space for new objects of each thread, in bytes. @default V8's choice */
  readonly youngBytes?: number | undefined;
}

/** Minimum time to decode or encode a message, in nanoseconds, that is worth the message and a copy from the slot. */
const MIN_NS_PER_MESSAGE = 800_000;
/** Minimum size of a file, in bytes, that is worth a message. */
const MIN_FILE_BYTES = 128 * 1024;
/** Number of consecutive threads that exit before they start, after which the pool fails. */
const MAX_FAILED_STARTS = 3;
/** Maximum number of waiting callers, because each retains the bytes of some chunks. */
const MAX_WAITING = 10_000;

interface Waiter {
  readonly isLarge: boolean;
  readonly resume: () => void;
}

export class CodecPool {
  /** Number of threads, excluding the calling thread. */
  readonly threads: number;
  /** Whether reads use the threads whenever they can, even if it takes longer, for tests. */
  readonly isPreferred: boolean = false;
  readonly #entry: URL;
  readonly #youngBytes: number | undefined;
  readonly #threads: PoolThread[];
  readonly #waiting = new Set<Waiter>();
  /** Idle threads do not keep a program alive; waiting callers do. */
  #keepAlive: NodeJS.Timeout | undefined;
  #failedStarts = 0;
  #isClosed = false;

  /** Starts the threads immediately. They decode once they have loaded their code; see `usable`. */
  constructor({ threads, entry, youngBytes }: CodecPoolOptions = {}) {
    this.#youngBytes = youngBytes;
    this.threads = threads ?? Math.max(1, availableParallelism() - 1);
    this.#entry = entry ?? new URL('./worker.js', import.meta.url);
    this.#threads = Array.from({ length: this.threads }, () => this.#start());
  }

  /** Whether at least one thread is running. */
  get usable(): boolean {
    return this.#threads.some((thread) => thread.usable);
  }

  /** Whether the pool can no longer be used: it was closed, or its threads failed to start. */
  get isOver(): boolean {
    return this.#isClosed || this.#failedStarts >= MAX_FAILED_STARTS;
  }

  /** Whether chunks of this chain and size are worth sending to a thread. */
  accepts(chain: CodecChain, chunkBytes: number): boolean {
    return isWorthMessage(chain, chunkBytes, decodingNsPerByte(chain));
  }

  /** Whether a thread accepts a job now. @param isLarge see `isLargeJob` */
  hasCapacity(isLarge: boolean): boolean {
    return this.#freest(isLarge) !== undefined;
  }

  /**
   * Resolves when a thread may accept a job, or when the pool has ended.
   * @throws AbortedError if the signal fires; LimitError if too many callers are waiting
   */
  whenAvailable(isLarge = false, signal?: AbortSignal): Promise<void> {
    if (this.isOver || this.hasCapacity(isLarge)) return Promise.resolve();
    if (this.#waiting.size >= MAX_WAITING)
      return Promise.reject(
        new LimitError('too many chunks are waiting for a decoding thread; try again later', {
          excess: [{ limit: 'maxWaitingDecodes', allowed: MAX_WAITING, needed: this.#waiting.size + 1 }],
        }),
      );
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#leave(waiter);
        reject(new AbortedError('the request was cancelled', { cause: signal?.reason }));
      };
      const waiter: Waiter = {
        isLarge,
        resume: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      if (signal?.aborted === true) return abort();
      if (signal !== undefined) allowManyListeners(signal);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
      this.#keepAlive ??= setInterval(() => undefined, 2 ** 30);
    });
  }

  /**
   * Runs a job on the thread with the most capacity. Call this only if `hasCapacity`. For the results in memory of
   * the caller, the thread may write to it until every chunk has been received.
   * @param chunks a single chunk for large jobs
   * @param signal cancels the job: results may then be errors, and a thread that continues is replaced
   */
  run(read: JobRead, chunks: JobChunks, use: UseResults, signal?: AbortSignal): TakeBack {
    return this.#threadFor(isLargeJob(read)).run(read, chunks, use, signal);
  }

  /** Like `run`, for a box. @param use receives the reply; undefined if the thread was lost */
  runBox(box: BoxJob, use: (reply: JobReply | undefined) => void, signal?: AbortSignal): TakeBack {
    return this.#threadFor(false).runBox(box, use, signal);
  }

  /** Call this when all jobs of a read have ended or are cancelled. */
  closeRead(read: JobRead): void {
    for (const thread of this.#threads) thread.closeRead(read);
  }

  /**
   * Reserves memory that is shared with a thread, for values of up to `count` chunks that it will encode.
   * @param chunkBytes size of the values of one chunk, at most `LARGE_CHUNK_BYTES`
   * @returns undefined if the caller should encode the chunks
   * @throws AbortedError if the signal fires; LimitError if too many callers are waiting
   */
  reserve(
    chain: CodecChain,
    chunkBytes: number,
    count: number,
    { writes = false, waits = false, signal }: ReserveOptions = {},
  ): Workspace | undefined | Promise<Workspace | undefined> {
    const bytes = chunkBytes * count;
    const reservation = { chunkBytes, count, occupiesCapacity: !waits };
    const isWorthIt =
      isWorthMessage(chain, bytes, encodingNsPerByte(chain)) ||
      (writes && bytes >= MIN_FILE_BYTES && chain.modules !== undefined && isFixedSize(chain.rep.dtype));
    if (!isWorthIt || this.isOver) return undefined;
    const now = this.#freest(false)?.reserve(chain, reservation);
    if (now !== undefined || !waits) return now;
    return this.#waitForThread(false, signal).then((thread) => thread?.reserve(chain, reservation));
  }

  /**
   * Encodes one chunk (C order) above `LARGE_CHUNK_BYTES`. If the chunk fills its buffer, the buffer is
   * transferred, and the caller must not use it afterwards.
   * @returns undefined if the caller should encode the chunk
   * @throws errors from encoding; AbortedError if the signal fires before the thread starts; LimitError if too many
   * callers are waiting
   */
  encodeLarge(chain: CodecChain, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> | undefined {
    if (!isWorthMessage(chain, bytes.length, encodingNsPerByte(chain)) || this.isOver) return undefined;
    return this.#freest(true)?.encodeLarge(chain, bytes, signal) ?? this.#encodeLater(chain, bytes, signal);
  }

  async #encodeLater(chain: CodecChain, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const thread = await this.#waitForThread(true, signal);
    if (thread === undefined)
      throw new CodecError('cannot encode the chunk: all decoding threads have exited');
    return thread.encodeLarge(chain, bytes, signal);
  }

  /**
   * Encodes one chunk of values of variable length, when a thread has capacity; on this thread if none is left.
   * @param items items to encode, which are transferred; the caller must not use them afterwards
   */
  async encodeItems(chain: CodecChain, items: Items, signal?: AbortSignal): Promise<Uint8Array> {
    const thread = await this.#waitForThread(true, signal);
    if (thread === undefined) return encodeChunk(chain, { items });
    return thread.encodeItems(chain, items, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
    this.#wake();
  }

  #start(): PoolThread {
    const thread: PoolThread = new PoolThread(this.#entry, this.#youngBytes, {
      onAvailable: () => {
        if (thread.usable) this.#failedStarts = 0;
        this.#wake();
      },
      onEnd: (hasStarted) => {
        if (!hasStarted) this.#failedStarts++;
        const at = this.#threads.indexOf(thread);
        if (at >= 0 && !this.isOver) this.#threads[at] = this.#start();
        this.#wake();
      },
    });
    return thread;
  }

  #wake(): void {
    for (const waiter of this.#waiting) {
      if (!this.isOver && this.#freest(waiter.isLarge) === undefined) continue;
      this.#leave(waiter);
      waiter.resume();
    }
  }

  #leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }

  #freest(isLarge: boolean): PoolThread | undefined {
    let best: PoolThread | undefined;
    for (const thread of this.#threads)
      if (thread.freeSlots(isLarge) > (best?.freeSlots(isLarge) ?? 0)) best = thread;
    return best;
  }

  #threadFor(isLarge: boolean): PoolThread {
    const thread = this.#freest(isLarge);
    if (thread === undefined) throw new CodecError('no decoding thread has capacity');
    return thread;
  }

  /** @returns undefined if no thread is left, so that the calling thread must do the work */
  async #waitForThread(isLarge: boolean, signal: AbortSignal | undefined): Promise<PoolThread | undefined> {
    for (;;) {
      await this.whenAvailable(isLarge, signal);
      throwIfAborted(signal);
      const thread = this.#freest(isLarge);
      if (thread !== undefined || this.isOver) return thread;
    }
  }
}

function isWorthMessage(chain: CodecChain, bytes: number, nsPerByte: number): boolean {
  if (chain.modules === undefined || !isFixedSize(chain.rep.dtype) || bytes === 0) return false;
  const isSlow = nsPerByte * Math.max(bytes, SLOT_BYTES) >= MIN_NS_PER_MESSAGE;
  return isSlow || (bytes > LARGE_CHUNK_BYTES && !isTrivial(chain));
}

export function createCodecPool(options?: CodecPoolOptions): CodecPool {
  return new CodecPool(options);
}
