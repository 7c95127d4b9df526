/**
 * Chunks of one decoding job, in one slot of shared memory: first the space for the decoded chunks, then
 * the encoded chunks.
 */
import type { EncodedChunk } from './outcomes.js';
import type { Slots } from './slots.js';

export interface Batch {
  readonly slot: SharedArrayBuffer;
  /** Size of each encoded chunk. */
  readonly lengths: readonly number[];
  /** The space of the i-th decoded chunk. */
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
