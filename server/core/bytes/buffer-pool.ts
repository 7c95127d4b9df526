/**
 * A pool of buffers for temporary use. Page faults on new memory cost more than copying a cached file into
 * it, and garbage collection of large buffers costs more than decoding, so buffers are reused. A pool that is
 * not used for some seconds frees its memory.
 */
import { allocateUninitialised, startTimer } from '#platform';

export interface BufferPool {
  /** A buffer of `length` bytes with undefined contents. */
  acquire(length: number): Uint8Array;
  /** Returns a buffer to the pool. The caller must not use it afterwards. */
  release(bytes: Uint8Array): void;
}

interface BufferPoolOptions {
  /** Maximum memory, in bytes, that is kept while it is not in use. @default 32 MiB */
  readonly maxKeptBytes?: number;
  /**
   * Whether buffers use exactly as much memory as requested. If not, they use up to twice as much
   * plus 64 KiB.
   * @default false
   */
  readonly isExact?: boolean;
}

/**
 * Requested sizes, in bytes, for which buffers are kept. Smaller buffers are cheap to allocate, and larger
 * ones are rare.
 */
const MIN_BYTES = 16_384;
const MAX_BYTES = 8 * 2 ** 20;
/** Sizes of buffers are multiples of this, unless they are exact. */
const UNIT_BYTES = 65_536;
/** Milliseconds without use after which the memory is freed. */
const IDLE_MS = 3000;

export function createBufferPool({
  maxKeptBytes = 2 ** 25,
  isExact = false,
}: BufferPoolOptions = {}): BufferPool {
  // Last in, first out: the last used buffer is still in the processor's cache.
  const kept: ArrayBufferLike[] = [];
  let keptBytes = 0;
  let isUsed = false;
  let timer: ReturnType<typeof startTimer> | undefined;

  // Allows for slightly larger neighbours: chunks of one array compress to similar sizes.
  const sizeOf = (length: number): number =>
    isExact ? length : Math.ceil((length * 1.25) / UNIT_BYTES) * UNIT_BYTES;

  function drop(at: number): ArrayBufferLike | undefined {
    const [buffer] = kept.splice(at, 1);
    keptBytes -= buffer?.byteLength ?? 0;
    return buffer;
  }

  function freeIfIdle(): void {
    while (!isUsed && kept.length > 0) releaseBuffer(drop(0));
    isUsed = false;
    if (kept.length > 0) timer?.restart();
    else timer = undefined;
  }

  return {
    acquire(length) {
      if (length < MIN_BYTES || length > MAX_BYTES) return new Uint8Array(length);
      isUsed = true;
      // A much larger buffer would hold memory that its user is not charged for.
      const maxBytes = isExact ? length : 2 * length + UNIT_BYTES;
      const at = kept.findLastIndex(({ byteLength }) => byteLength >= length && byteLength <= maxBytes);
      const buffer = at < 0 ? undefined : drop(at);
      if (buffer !== undefined) return new Uint8Array(buffer, 0, length);
      return allocateUninitialised(sizeOf(length)).subarray(0, length);
    },
    release({ buffer }) {
      const { byteLength } = buffer;
      if (byteLength < MIN_BYTES || byteLength > sizeOf(MAX_BYTES) || kept.includes(buffer)) return;
      isUsed = true;
      kept.push(buffer);
      keptBytes += byteLength;
      while (keptBytes > maxKeptBytes) releaseBuffer(drop(0));
      timer ??= startTimer(freeIfIdle, IDLE_MS, false);
    },
  };
}

/**
 * The pool for encoded chunks, and for values to encode. Shared by all stores, so that the memory that is kept does not
 * grow with their number.
 */
export const encodedBuffers = createBufferPool();

/** Frees memory immediately, because the garbage collector may not run for a long time in an idle process. */
export function releaseBuffer(buffer: ArrayBufferLike | undefined): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
