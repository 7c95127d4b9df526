/** Encodes chunks in a slot on a pool thread, replacing values with their encoded bytes. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { CodecChain } from '../format/codec/codec.js';
import { encodeChunk } from '../format/codec/run-chain.js';
import { attempt } from './outcomes.js';
import type { EncodeMessage, Outcome } from './protocol.js';

/**
 * @param ownCopy function that copies values out of the slot, because not every codec accepts shared memory
 */
export function encodeInSlot(
  chain: () => CodecChain,
  { slot, chunkBytes, count, path }: EncodeMessage,
  ownCopy: (shared: Uint8Array) => Uint8Array,
): Outcome[] {
  const memory = new Uint8Array(slot);
  let end = 0;
  return Array.from({ length: count }, (_, i) =>
    attempt((): Outcome => {
      const start = i * chunkBytes;
      const values = ownCopy(memory.subarray(start, start + chunkBytes));
      const encoded = encodeChunk(chain(), { bytes: values });
      if (path !== undefined && writeNewFile(path, encoded)) return { inFile: encoded.length };
      // Encoded bytes that would overwrite the values of the next chunk are returned as a copy.
      if (end + encoded.length > start + chunkBytes) return { encoded: encoded.slice() };
      memory.set(encoded, end);
      end += encoded.length;
      return { inSlot: encoded.length };
    }),
  );
}

/**
 * Writes encoded bytes to a new file.
 * @returns false if writing failed; the store then writes the bytes and reports the error
 */
function writeNewFile(path: string, bytes: Uint8Array): boolean {
  try {
    const file = openSync(path, 'wx');
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}
