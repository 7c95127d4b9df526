/**
 * A pool of codec threads. It accepts chunks whose codecs are slow enough to pay for the message, and chunks of any size
 * that would block the calling thread. Lost threads are replaced; idle threads do not keep a program alive.
 */
import { availableParallelism } from 'node:os';
import type { Items } from '../../bytes/items.js';
import { isTrivial, type CodecChain } from '../../codec/codec.js';
import { decodeChunk, type DecodedChunk } from '../../codec/decode-chunk.js';
import { encodeChunk } from '../../codec/encode-chunk.js';
import { decodingNsPerByte, encodingNsPerByte } from '../../codec/speed.js';
import { AbortedError, CodecError, LimitError, throwIfAborted } from '../../errors.js';
import { isFixedSize } from '../../dtype/data-type.js';
import type { DirectPort } from './direct-port.js';
import { PoolThread } from './pool-thread.js';
import { slotBytes } from './slots.js';
import { decodeItemsOn, encodeItemsOn } from './item-jobs.js';
import { largeChunkBytes } from './large-buffers.js';
import type { Decoded, EncodedChunk } from './outcomes.js';

/** Whether a pool can be started. Sources, as tests run them, have no program that a thread could run. */
export const hasThreads: boolean = !import.meta.url.endsWith('.ts');

export interface CodecPool {
  /** Threads, not counting the caller's. */
  readonly threads: number;
  /** At least one thread has started and not exited. */
  readonly usable: boolean;
  /** No thread will ever be usable: the pool was closed, or its threads fail to start. */
  readonly isOver: boolean;
  /** Whether it pays to send chunks of this chain and size to a thread. */
  accepts(chain: CodecChain, chunkBytes: number): boolean;
  /** Number of chunks of this size that `decode` takes now; 0 while all threads are busy. */
  capacity(chunkBytes: number): number;
  /**
   * Resolves when a thread may take a chunk of this size, or the pool is over.
   * @throws AbortedError; LimitError where too many wait already
   */
  whenAvailable(chunkBytes?: number, signal?: AbortSignal): Promise<void>;
  /**
   * Decodes up to `capacity` chunks. `each` gets every result, later. The bytes of a chunk of up to `largeChunkBytes` are
   * valid only within that call; those of a larger one belong to the receiver.
   * @param signal where it fires, results may be errors, and a thread that goes on with the chunk is replaced
   * @returns resolves when the encoded bytes are not needed any more; undefined: they are not
   */
  decode(
    chain: CodecChain,
    chunkBytes: number,
    chunks: readonly EncodedChunk[],
    each: (i: number, decoded: Decoded) => void,
    signal?: AbortSignal,
  ): Promise<void> | undefined;
  /**
   * Encodes one chunk (C order) if the chain is worth the way. A chunk above `largeChunkBytes` that fills a buffer of
   * its own is transferred: the caller must not use it afterwards.
   * @param waits wait for room; without it, chunks that are not large are the caller's where no thread has room
   * @returns undefined where the caller had better do it. @throws what encoding throws; AbortedError
   */
  encode(
    chain: CodecChain,
    bytes: Uint8Array,
    waits?: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> | undefined;
  /**
   * Decodes one chunk of values of variable length, once a thread has room.
   * @param encoded must stay as it is until the result is there
   * @throws as decodeChunk; AbortedError
   */
  decodeItems(
    chain: CodecChain,
    encoded: Uint8Array,
    limit: number,
    signal?: AbortSignal,
  ): Promise<DecodedChunk>;
  /**
   * Encodes one chunk of values of variable length, once a thread has room.
   * @param items are transferred: the caller must not use them afterwards
   */
  encodeItems(chain: CodecChain, items: Items, signal?: AbortSignal): Promise<Uint8Array>;
  /** Threads that can read files by themselves. */
  directThreads(): readonly DirectPort[];
  close(): Promise<void>;
}

export interface CodecPoolOptions {
  /** @default one less than the processors, at least 1 */
  readonly threads?: number;
  /** The thread's program; the default is the file beside this one. */
  readonly entry?: URL;
}

/** Less decoding than this does not pay for a message and a copy out of the slot. */
const minNsPerMessage = 800_000;
/** Consecutive threads that exit before they have started: the program cannot run. */
const maxFailedStarts = 3;
/** Callers that wait at once; each holds the bytes of some chunks. */
const maxWaiting = 10_000;

interface Waiter {
  readonly isLarge: boolean;
  readonly resume: () => void;
}

/** Threads start at once and cost about 20 ms each before they help. */
export function createCodecPool(options: CodecPoolOptions = {}): CodecPool {
  const count = options.threads ?? Math.max(1, availableParallelism() - 1);
  const entry = options.entry ?? new URL('./worker.js', import.meta.url);
  const waiting = new Set<Waiter>();
  /** Idle threads do not keep a program alive; waiting callers do. */
  let keepAlive: NodeJS.Timeout | undefined;
  let failedStarts = 0;
  let isClosed = false;
  const isOver = (): boolean => isClosed || failedStarts >= maxFailedStarts;

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

  const isWorth = (chain: CodecChain, bytes: number, nsPerByte: number): boolean =>
    chain.modules !== undefined &&
    isFixedSize(chain.rep.dtype) &&
    bytes > 0 &&
    (nsPerByte * Math.max(bytes, slotBytes) >= minNsPerMessage ||
      (bytes > largeChunkBytes && !isTrivial(chain)));

  function whenAvailable(chunkBytes = 0, signal?: AbortSignal): Promise<void> {
    const isLarge = chunkBytes > largeChunkBytes;
    if (isOver() || freest(isLarge) !== undefined) return Promise.resolve();
    if (waiting.size >= maxWaiting)
      return Promise.reject(
        new LimitError('too many reads wait for a decoding thread; try again later', {
          excess: [{ limit: 'maxWaitingDecodes', allowed: maxWaiting, needed: waiting.size + 1 }],
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
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(waiter);
      keepAlive ??= setInterval(() => undefined, 2 ** 30);
    });
  }

  async function encodeLater(
    chain: CodecChain,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    for (;;) {
      await whenAvailable(bytes.length, signal);
      throwIfAborted(signal);
      if (isOver()) throw new CodecError('no decoding thread is left to encode the chunk');
      const encoded = encodeOn(freest(bytes.length > largeChunkBytes), chain, bytes, signal);
      if (encoded !== undefined) return encoded;
    }
  }

  /** @returns undefined where no thread is left: then the caller's own has to do */
  async function threadForItems(signal: AbortSignal | undefined): Promise<PoolThread | undefined> {
    for (;;) {
      await whenAvailable(Infinity, signal);
      throwIfAborted(signal);
      const thread = freest(true);
      if (thread !== undefined || isOver()) return thread;
    }
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
    capacity(chunkBytes) {
      if (freest(chunkBytes > largeChunkBytes) === undefined) return 0;
      return Math.max(1, Math.floor(slotBytes / chunkBytes));
    },
    whenAvailable,
    decode(chain, chunkBytes, chunks, each, signal) {
      const thread = freest(chunkBytes > largeChunkBytes);
      if (thread === undefined) throw new CodecError('no decoding thread has room');
      const [one] = chunks;
      if (chunkBytes > largeChunkBytes && one !== undefined)
        return thread.decodeLarge(chain, chunkBytes, one, (decoded) => each(0, decoded), signal);
      thread.decode(chain, chunkBytes, chunks, each, signal);
      return undefined;
    },
    encode(chain, bytes, waits = false, signal) {
      if (!isWorth(chain, bytes.length, encodingNsPerByte(chain))) return undefined;
      const isLarge = bytes.length > largeChunkBytes;
      const now = encodeOn(freest(isLarge), chain, bytes, signal);
      if (now !== undefined || isOver() || !(waits || isLarge)) return now;
      // The caller may use the memory of a small chunk again.
      return encodeLater(chain, isLarge ? bytes : bytes.slice(), signal);
    },
    async decodeItems(chain, encoded, limit, signal) {
      const thread = await threadForItems(signal);
      if (thread === undefined) return decodeChunk(chain, encoded, limit);
      return decodeItemsOn(thread, chain, encoded, limit, signal);
    },
    async encodeItems(chain, items, signal) {
      const thread = await threadForItems(signal);
      if (thread === undefined) return encodeChunk(chain, { items });
      return encodeItemsOn(thread, chain, items, signal);
    },
    directThreads: () => (isOver() ? [] : threads.map(({ direct }) => direct).filter(({ isOpen }) => isOpen)),
    close: async () => {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
      wake();
    },
  };
}

function encodeOn(
  thread: PoolThread | undefined,
  chain: CodecChain,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> | undefined {
  return bytes.length > largeChunkBytes
    ? thread?.encodeLarge(chain, bytes, signal)
    : thread?.encode(chain, bytes, signal);
}
