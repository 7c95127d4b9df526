/**
 * Reverses the byte order of 2-, 4- and 8-byte units, in whole buffers and in parts of items (structs).
 * Assumes a little-endian host, like all JavaScript engines in use.
 */

import type { ByteSwap } from '../../dtype/byte-order.js';

/**
 * Writes `source` to `dest` with every unit reversed. Both have the same length, a multiple of `unit`, and
 * may be the same bytes; `dest` is aligned to the unit.
 */
export function swapUnits(source: Uint8Array, dest: Uint8Array, unit: 2 | 4 | 8): void {
  let from = source;
  if (source.byteOffset % 4 !== 0) {
    dest.set(source);
    from = dest;
  }
  const words = dest.length >> 2;
  const x = new Int32Array(from.buffer, from.byteOffset, words);
  const y = new Int32Array(dest.buffer, dest.byteOffset, words);
  if (unit === 2) {
    swap2(x, y);
    // If the number of units is odd, one unit remains after the last word.
    const last = words * 4;
    if (last < dest.length) {
      const [a, b] = [from[last] ?? 0, from[last + 1] ?? 0];
      dest[last] = b;
      dest[last + 1] = a;
    }
  } else if (unit === 4) swap4(x, y);
  else swap8(x, y);
}

function swap2(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i < y.length; i++) {
    const v = x[i] ?? 0;
    y[i] = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
  }
}

function swap4(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i < y.length; i++) {
    const v = x[i] ?? 0;
    const pairs = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
    y[i] = (pairs << 16) | (pairs >>> 16);
  }
}

function swap8(x: Int32Array, y: Int32Array): void {
  for (let i = 0; i + 1 < y.length; i += 2) {
    const v = x[i] ?? 0;
    const w = x[i + 1] ?? 0;
    const low = ((v & 0x00ff00ff) << 8) | ((v >>> 8) & 0x00ff00ff);
    const high = ((w & 0x00ff00ff) << 8) | ((w >>> 8) & 0x00ff00ff);
    y[i] = (high << 16) | (high >>> 16);
    y[i + 1] = (low << 16) | (low >>> 16);
  }
}

/** Copies items of `itemSize` bytes from `source` to `dest`, and reverses the units in `swaps`. */
export function swapItems(
  source: Uint8Array,
  dest: Uint8Array,
  itemSize: number,
  swaps: readonly ByteSwap[],
): void {
  const unit = wholeUnit(itemSize, swaps);
  if (unit !== undefined) return swapUnits(source, dest, unit);
  dest.set(source);
  for (const swap of swaps) {
    const end = swap.offset + swap.unit * swap.count;
    for (let item = 0; item + itemSize <= dest.length; item += itemSize) {
      for (let at = item + swap.offset; at < item + end; at += swap.unit)
        reverse(dest, at, at + swap.unit - 1);
    }
  }
}

/** The size of the unit if an item consists of a single unit. */
function wholeUnit(itemSize: number, swaps: readonly ByteSwap[]): 2 | 4 | 8 | undefined {
  const [swap] = swaps;
  if (swap === undefined || swaps.length !== 1 || swap.offset !== 0) return undefined;
  if (swap.unit * swap.count !== itemSize) return undefined;
  return swap.unit === 2 || swap.unit === 4 || swap.unit === 8 ? swap.unit : undefined;
}

function reverse(bytes: Uint8Array, first: number, last: number): void {
  for (let a = first, b = last; a < b; a++, b--) {
    const kept = bytes[a] ?? 0;
    bytes[a] = bytes[b] ?? 0;
    bytes[b] = kept;
  }
}
