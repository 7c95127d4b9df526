/** Collects the output of a streaming decoder or encoder in memory that doubles up to a maximum. */
import type { WasmCall } from '../../core/wasm/module.js';

/**
 * One step of a stream: writes up to `capacity` bytes at `to`.
 * @returns the number of unused bytes, and whether the stream has ended
 */
type StreamStep = (to: number, capacity: number) => { readonly left: number; readonly ended: boolean };

interface Collected {
  readonly block: number;
  readonly bytes: number;
  /** Whether the stream produced more than the maximum. */
  readonly overflowed: boolean;
}

/**
 * Runs a stream to its end, or until it produces more than `most` bytes.
 * @param first initial capacity in bytes
 */
export function collectOutput<F extends string>(
  call: WasmCall<F>,
  first: number,
  most: number,
  step: StreamStep,
): Collected {
  // One extra byte, to detect a stream that is longer than allowed.
  const last = most + 1;
  let length = Math.max(1, Math.min(last, first));
  let block = call.allocate(length);
  let bytes = 0;
  for (;;) {
    const { left, ended } = step(block + bytes, length - bytes);
    bytes = length - left;
    if (bytes > most) return { block, bytes, overflowed: true };
    if (ended) return { block, bytes, overflowed: false };
    if (left > 0) continue;
    length = Math.min(last, 2 * length);
    block = call.resize(block, length);
  }
}
