/**
 * Memory for reads whose bytes are needed only briefly. Page faults on new memory cost more than copying a
 * cached file into it, so buffers are reused.
 */
export interface BufferPool {
  /** A buffer of `length` bytes with undefined contents. */
  acquire(length: number): Uint8Array;
  /** Returns a buffer to the pool. The caller must not use it afterwards. */
  release(bytes: Uint8Array): void;
}

/** Sizes of buffers to keep. Smaller buffers are cheap to allocate, and larger ones are rare. */
const MIN_BYTES = 16_384;
const MAX_BYTES = 8 * 2 ** 20;
const MAX_KEPT = 32;
const MAX_KEPT_BYTES = 64 * 2 ** 20;
/** Sizes of buffers are multiples of this. */
const UNIT_BYTES = 65_536;

/** @param maxKeptBytes memory that is kept while it is not in use */
export function createBufferPool(maxKeptBytes = MAX_KEPT_BYTES): BufferPool {
  // Last in, first out: the last used buffer is still in the processor's cache.
  const kept: ArrayBufferLike[] = [];
  let keptBytes = 0;
  return {
    acquire(length) {
      if (length < MIN_BYTES || length > MAX_BYTES) return new Uint8Array(length);
      for (let i = kept.length - 1; i >= 0; i--) {
        const buffer = kept[i];
        if (buffer === undefined || buffer.byteLength < length) continue;
        // A much larger buffer would hold memory that its user is not charged for.
        if (buffer.byteLength > 2 * length + UNIT_BYTES) continue;
        kept.splice(i, 1);
        keptBytes -= buffer.byteLength;
        return new Uint8Array(buffer, 0, length);
      }
      // Allows for slightly larger neighbours: chunks of one array compress to similar sizes.
      return new Uint8Array(
        Buffer.allocUnsafeSlow(Math.ceil((length * 1.25) / UNIT_BYTES) * UNIT_BYTES).buffer,
        0,
        length,
      );
    },
    release({ buffer }) {
      if (buffer.byteLength < MIN_BYTES || kept.includes(buffer)) return;
      if (kept.length >= MAX_KEPT || keptBytes + buffer.byteLength > maxKeptBytes) return;
      kept.push(buffer);
      keptBytes += buffer.byteLength;
    },
  };
}

/** Shared by all filesystem stores. */
export const fileBuffers = createBufferPool();
