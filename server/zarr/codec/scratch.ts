/**
 * Reused memory for decoding steps, because page faults on new memory cost as much as decoding. A result in
 * scratch memory is valid until the next decode; see the codec interface.
 *
 * Two buffers alternate: a step reads its input from one and writes to the other.
 */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

const kept: [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(0), new ArrayBuffer(0)];

/**
 * A buffer of `length` bytes of undefined content, aligned to 8, that does not overlap `source`. Very large
 * buffers are not kept.
 */
export function scratchFor(source: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_KEPT_BYTES) return new Uint8Array(length);
  const i = kept[0] === source.buffer ? 1 : 0;
  if (kept[i].byteLength < length) kept[i] = new ArrayBuffer(Math.max(length, 2 * kept[i].byteLength, 4096));
  return new Uint8Array(kept[i], 0, length);
}
