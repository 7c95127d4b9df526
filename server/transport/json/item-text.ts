/** Text of runs of elements that are no plain numbers. */
import type { SegmentText } from './list-text.js';

const NAT = -(2n ** 63n);

/** Each element by its own text; a missing one is null. */
export function itemSegments<T>(
  take: (from: number, to: number) => readonly (T | null)[],
  textOf: (item: T) => string,
): SegmentText {
  return (from, to) =>
    take(from, to)
      .map((item) => (item === null ? 'null' : textOf(item)))
      .join(',');
}

/** Timedeltas: counts as strings of digits, NaT as null. */
export function timeSegments(counts: BigInt64Array): SegmentText {
  return (from, to) =>
    Array.from(counts.subarray(from, to), (count) => (count === NAT ? 'null' : `"${count}"`)).join(',');
}

/** Byte strings as the text they most likely are. A byte order mark is part of it. */
export function createByteText(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes) => JSON.stringify(decoder.decode(bytes));
}

export function base64Item(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
}
