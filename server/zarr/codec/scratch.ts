/**
 * Memory for one decoding step, reused because touching fresh memory costs as much as decoding. A result in it lives
 * until the next decode, as the codec interface says.
 *
 * Two buffers in turn: a step may read what the step before it left in one, while it writes to the other.
 */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

const kept: [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(0), new ArrayBuffer(0)];

/**
 * `length` bytes of undefined content, aligned to 8, that do not overlap `source`. More than a chunk should take is
 * not kept.
 */
export function scratchFor(source: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_KEPT_BYTES) return new Uint8Array(length);
  const i = kept[0] === source.buffer ? 1 : 0;
  if (kept[i].byteLength < length) kept[i] = new ArrayBuffer(Math.max(length, 2 * kept[i].byteLength, 4096));
  return new Uint8Array(kept[i], 0, length);
}
