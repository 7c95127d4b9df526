/** Reusable shared memory for passing chunks to one thread and back. */
import type { EncodedChunk } from './outcomes.js';

/** Number of bytes per message, so that its cost is small compared with decoding. */
export const SLOT_BYTES = 2 ** 20;

/** Size, in bytes, of the memory for the partial result of a box. Arrays that do not fit are sent. */
export const PARTIAL_SLOT_BYTES = 2 ** 20;

interface Slots {
  /** Returns a buffer of at least this many bytes. */
  take(bytes: number): SharedArrayBuffer;
  release(slot: SharedArrayBuffer): void;
}

/** @param count number of buffers kept for reuse */
export function createSlots(count: number): Slots {
  const free: SharedArrayBuffer[] = [];
  return {
    take(bytes) {
      const at = free.findIndex((slot) => slot.byteLength >= bytes);
      const [slot] = at < 0 ? [] : free.splice(at, 1);
      if (slot !== undefined) return slot;
      // Replaces a buffer that is too small.
      free.pop();
      return new SharedArrayBuffer(Math.ceil((bytes * 1.25) / SLOT_BYTES) * SLOT_BYTES);
    },
    release(slot) {
      if (free.length < count) free.push(slot);
    },
  };
}

// Chunks of one decoding job, in one slot of shared memory: first the space for the decoded chunks, then
// the encoded chunks.

export interface Batch {
  readonly slot: SharedArrayBuffer;
  /** Size of each encoded chunk in bytes. */
  readonly lengths: readonly number[];
  /** The space for the i-th decoded chunk. */
  decodedAt(i: number): Uint8Array;
  /** Copies the encoded chunks, because not every codec accepts shared memory. */
  copyEncoded(): Uint8Array[];
}

export function packBatch(slots: Slots, chunkBytes: number, chunks: readonly EncodedChunk[]): Batch {
  const lengths = chunks.map(({ encoded }) => encoded.length);
  const start = chunkBytes * chunks.length;
  const slot = slots.take(lengths.reduce((sum, length) => sum + length, start));
  const bytes = new Uint8Array(slot);
  let at = start;
  for (const { encoded } of chunks) {
    bytes.set(encoded, at);
    at += encoded.length;
  }
  return {
    slot,
    lengths,
    decodedAt: (i) => new Uint8Array(slot, i * chunkBytes, chunkBytes),
    copyEncoded() {
      let from = start;
      return lengths.map((length) => {
        from += length;
        return bytes.slice(from - length, from);
      });
    },
  };
}
