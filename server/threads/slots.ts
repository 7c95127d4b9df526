/** Reusable shared memory for passing chunks to one thread and back. */

import type { JobInput } from './protocol.js';

/** Number of bytes per message, so that its cost is small compared with decoding. */
export const SLOT_BYTES = 2 ** 20;

/** Size, in bytes, of the memory for the partial result of a box. Arrays that do not fit are sent. */
export const PARTIAL_SLOT_BYTES = 2 ** 20;

/** Maximum number of results of a box. */
export const MAX_RULES = 8;

/** @param count number of buffers kept for reuse */
export function createSlots(count: number) {
  const free: SharedArrayBuffer[] = [];
  return {
    /** Returns a buffer of at least this many bytes. */
    take(bytes: number): SharedArrayBuffer {
      const at = free.findIndex((slot) => slot.byteLength >= bytes);
      const [slot] = at < 0 ? [] : free.splice(at, 1);
      if (slot !== undefined) return slot;
      // Replaces a buffer that is too small.
      free.pop();
      return new SharedArrayBuffer(Math.ceil((bytes * 1.25) / SLOT_BYTES) * SLOT_BYTES);
    },
    release(slot: SharedArrayBuffer): void {
      if (free.length < count) free.push(slot);
    },
  };
}

/** Alignment of results in a slot, in bytes, so that 8 bytes can be copied at a time. */
const ALIGNMENT = 8;

export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The position of each result in a slot, and the end of the last one. */
export function slotStarts(lengths: readonly number[]): { readonly starts: number[]; readonly end: number } {
  let end = 0;
  const starts = lengths.map((length) => {
    const start = end;
    end += alignedBytes(length);
    return start;
  });
  return { starts, end };
}

/** Size of each result in the slot. */
export function resultBytes(input: JobInput, chunkBytes: number): number[] {
  if ('spans' in input) return input.spans.flatMap(({ chunks }) => chunks.map(({ slotBytes }) => slotBytes));
  const { chunks, transferred } = input;
  return chunks.map(({ into }) => (transferred === undefined && into === undefined ? chunkBytes : 0));
}
