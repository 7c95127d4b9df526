/** Reusable shared memory for passing chunks to one thread and back. */

/** Bytes per message, so that its cost is small compared with decoding. */
export const SLOT_BYTES = 2 ** 20;

export interface Slots {
  /** A buffer of at least this many bytes. */
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
