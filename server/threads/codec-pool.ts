/**
 * A pool of decoding threads. It accepts chunks whose decoding takes longer than a message, and chunks that
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

export interface CodecPool {
  /** Number of threads, excluding the calling thread. */
  readonly threads: number;
  /** Whether at least one thread is running. */
  readonly usable: boolean;
  /** Whether reads use the threads whenever they can, even if it takes longer, for tests. @default false */
  readonly isPreferred?: boolean;
  /** Whether the pool can no longer be used: it was closed, or its threads failed to start. */
  readonly isOver: boolean;
  /** Whether chunks of this chain and size are worth sending to a thread. */
  accepts(chain: CodecChain, chunkBytes: number): boolean;
  /** Whether a thread accepts a job now. @param isLarge see `isLargeJob` */
  hasCapacity(isLarge: boolean): boolean;
  /**
   * Resolves when a thread may accept a job, or when the pool has ended.
   * @throws AbortedError if the signal fires; LimitError if too many callers are waiting
   */
  whenAvailable(isLarge?: boolean, signal?: AbortSignal): Promise<void>;
  /**
   * Runs a job on the thread with the most capacity. Call this only if `hasCapacity`. For the results in memory of
   * the caller, the thread may write to it until every chunk has been received.
   * @param chunks a single chunk for large jobs
   * @param signal cancels the job: results may then be errors, and a thread that continues is replaced
   */
  run(read: JobRead, chunks: JobChunks, use: UseResults, signal?: AbortSignal): TakeBack;
  /** Like `run`, for a box. @param use receives the reply; undefined if the thread was lost */
  runBox(box: BoxJob, use: (reply: JobReply | undefined) => void, signal?: AbortSignal): TakeBack;
  /** Call this when all jobs of a read have ended or are cancelled. */
  closeRead(read: JobRead): void;
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
    options?: ReserveOptions,
  ): Workspace | undefined | Promise<Workspace | undefined>;
  /**
   * Encodes one chunk (C order) above `LARGE_CHUNK_BYTES`. If the chunk fills its buffer, the buffer is
   * transferred, and the caller must not use it afterwards.
   * @returns undefined if the caller should encode the chunk
   * @throws errors from encoding; AbortedError if the signal fires before the thread starts; LimitError if too many
   * callers are waiting
   */
  encodeLarge(chain: CodecChain, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> | undefined;
  /**
   * Encodes one chunk of values of variable length, when a thread has capacity; on this thread if none is left.
   * @param items items to encode, which are transferred; the caller must not use them afterwards
   */
  encodeItems(chain: CodecChain, items: Items, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

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

/** Starts the threads immediately. They decode once they have loaded their code; see `usable`. */
export function createCodecPool(options: CodecPoolOptions = {}): CodecPool {
  const count = options.threads ?? Math.max(1, availableParallelism() - 1);
  const entry = options.entry ?? new URL('./worker.js', import.meta.url);
  const waiting = new Set<Waiter>();
  /** Idle threads do not keep a program alive; waiting callers do. */
  let keepAlive: NodeJS.Timeout | undefined;
  let failedStarts = 0;
  let isClosed = false;
  const isOver = (): boolean => isClosed || failedStarts >= MAX_FAILED_STARTS;

  const wake = (): void => {
    for (const waiter of waiting) {
      if (!isOver() && freest(waiter.isLarge) === undefined) continue;
      leave(waiter);
      waiter.resume();
    }
  };
  const leave = (waiter: Waiter): void => {
    waiting.delete(waiter);
    if (waiting.size > 0) return;
    clearInterval(keepAlive);
    keepAlive = undefined;
  };
  const start = (): PoolThread => {
    const thread: PoolThread = new PoolThread(entry, {
      onAvailable: () => {
        if (thread.usable) failedStarts = 0;
        wake();
      },
      onEnd: (hasStarted) => {
        if (!hasStarted) failedStarts++;
        const at = threads.indexOf(thread);
        if (at >= 0 && !isOver()) threads[at] = start();
        wake();
      },
    });
    return thread;
  };
  const threads: PoolThread[] = Array.from({ length: count }, start);

  function freest(isLarge: boolean): PoolThread | undefined {
    let best: PoolThread | undefined;
    for (const thread of threads)
      if (thread.freeSlots(isLarge) > (best?.freeSlots(isLarge) ?? 0)) best = thread;
    return best;
  }

  function threadFor(isLarge: boolean): PoolThread {
    const thread = freest(isLarge);
    if (thread === undefined) throw new CodecError('no decoding thread has capacity');
    return thread;
  }

  const isWorth = (chain: CodecChain, bytes: number, nsPerByte: number): boolean =>
    chain.modules !== undefined &&
    isFixedSize(chain.rep.dtype) &&
    bytes > 0 &&
    (nsPerByte * Math.max(bytes, SLOT_BYTES) >= MIN_NS_PER_MESSAGE ||
      (bytes > LARGE_CHUNK_BYTES && !isTrivial(chain)));

  function whenAvailable(isLarge = false, signal?: AbortSignal): Promise<void> {
    if (isOver() || freest(isLarge) !== undefined) return Promise.resolve();
    if (waiting.size >= MAX_WAITING)
      return Promise.reject(
        new LimitError('too many chunks are waiting for a decoding thread; try again later', {
          excess: [{ limit: 'maxWaitingDecodes', allowed: MAX_WAITING, needed: waiting.size + 1 }],
        }),
      );
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        leave(waiter);
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
      waiting.add(waiter);
      keepAlive ??= setInterval(() => undefined, 2 ** 30);
    });
  }

  /** @returns undefined if no thread is left, so that the calling thread must do the work */
  async function waitForThread(
    isLarge: boolean,
    signal: AbortSignal | undefined,
  ): Promise<PoolThread | undefined> {
    for (;;) {
      await whenAvailable(isLarge, signal);
      throwIfAborted(signal);
      const thread = freest(isLarge);
      if (thread !== undefined || isOver()) return thread;
    }
  }

  async function encodeLater(
    chain: CodecChain,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const thread = await waitForThread(true, signal);
    if (thread === undefined)
      throw new CodecError('cannot encode the chunk: all decoding threads have exited');
    return thread.encodeLarge(chain, bytes, signal);
  }

  return {
    threads: count,
    get usable() {
      return threads.some((thread) => thread.usable);
    },
    get isOver() {
      return isOver();
    },
    accepts: (chain, chunkBytes) => isWorth(chain, chunkBytes, decodingNsPerByte(chain)),
    hasCapacity: (isLarge) => freest(isLarge) !== undefined,
    whenAvailable,
    run: (read, chunks, use, signal) => threadFor(isLargeJob(read)).run(read, chunks, use, signal),
    runBox: (box, use, signal) => threadFor(false).runBox(box, use, signal),
    closeRead(read) {
      for (const thread of threads) thread.closeRead(read);
    },
    reserve(chain, chunkBytes, count, { writes = false, waits = false, signal } = {}) {
      const bytes = chunkBytes * count;
      const reservation = { chunkBytes, count, occupiesCapacity: !waits };
      const isWorthIt =
        isWorth(chain, bytes, encodingNsPerByte(chain)) ||
        (writes && bytes >= MIN_FILE_BYTES && chain.modules !== undefined && isFixedSize(chain.rep.dtype));
      if (!isWorthIt || isOver()) return undefined;
      const now = freest(false)?.reserve(chain, reservation);
      if (now !== undefined || !waits) return now;
      return waitForThread(false, signal).then((thread) => thread?.reserve(chain, reservation));
    },
    encodeLarge(chain, bytes, signal) {
      if (!isWorth(chain, bytes.length, encodingNsPerByte(chain)) || isOver()) return undefined;
      return freest(true)?.encodeLarge(chain, bytes, signal) ?? encodeLater(chain, bytes, signal);
    },
    async encodeItems(chain, items, signal) {
      const thread = await waitForThread(true, signal);
      if (thread === undefined) return encodeChunk(chain, { items });
      return thread.encodeItems(chain, items, signal);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
      wake();
    },
  };
}
