/** How much memory requests may hold, and what parts of a request are counted as (docs/operations.md has the formula). */

const MiB = 2 ** 20;

/** A request before it does anything: its connection, headers, document and context. */
export const REQUEST_BYTES = 32 * 1024;

/** A field of an answer, with the objects around it. */
export const FIELD_BYTES = 128;

/** A body is held twice while it is put together. */
export const BODY_FACTOR = 2;

/** What parsing makes of a body beside it: short numbers in lists become 8 bytes each, short lists more. */
export const PARSED_BODY_FACTOR = 4;

/** Encoded and decoded chunks that one request has in flight, unless a single read needs more. */
export const READ_WINDOW_BYTES = 32 * MiB;

/** Of an answer that is sent, what the system's socket holds as well. */
export const SOCKET_BYTES = 4 * MiB;

/** The runtime, the program, its threads and their slots for chunks. */
const RUNTIME_BYTES = 192 * MiB;

/** Of the rest: memory that is free again is collected late, and not all of it goes back to the system. */
const USABLE_SHARE = 0.6;

/** What bounds one request. */
export interface RequestBounds {
  readonly maxOutputBytes: number;
  readonly maxDecodedBytes: number;
  readonly maxBodyBytes: number;
}

/** The least that a request within the limits must be able to hold, with chunks of ordinary size. */
export function leastRequestBytes({ maxOutputBytes, maxDecodedBytes, maxBodyBytes }: RequestBounds): number {
  return (
    REQUEST_BYTES +
    maxBodyBytes * (BODY_FACTOR + PARSED_BODY_FACTOR) +
    maxOutputBytes * 2 +
    Math.min(maxDecodedBytes * 2, READ_WINDOW_BYTES * 1.5) +
    SOCKET_BYTES
  );
}

/** What the largest request may hold: as much as the largest chunk within the limits takes, if the process has that. */
export function maxRequestBytes(requestMemoryBytes: number, bounds: RequestBounds): number {
  const wanted = leastRequestBytes(bounds) + 3 * bounds.maxDecodedBytes;
  return Math.min(
    requestMemoryBytes,
    Math.max(leastRequestBytes(bounds), Math.min(wanted, requestMemoryBytes / 2)),
  );
}

/** @param cacheBytes of chunks, stored bytes and documents that are kept between requests */
export function defaultRequestMemoryBytes(machineBytes: number, cacheBytes: number): number {
  return Math.max(0, Math.floor((machineBytes - RUNTIME_BYTES - cacheBytes) * USABLE_SHARE));
}
