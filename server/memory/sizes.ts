/** Estimated memory sizes of the parts of a request (docs/operations.md has the formula). */

const MIB = 2 ** 20;

/** Memory of a request before it executes: its connection, headers, document and context. */
export const REQUEST_BYTES = 32 * 1024;

/** Memory of a response field, including the objects around it. */
export const FIELD_BYTES = 128;

/** Factor for a body, which exists twice while its pieces are joined. */
export const BODY_FACTOR = 2;

/**
 * Memory of parsed values relative to the body: short numbers in lists take 8 bytes each, short lists more.
 */
export const PARSED_BODY_FACTOR = 4;

/** Memory for chunks in flight, encoded and decoded, of one request, unless a single read needs more. */
export const READ_WINDOW_BYTES = 32 * MIB;

/** Maximum size of the part of a response that is in the system's socket buffer. */
const SOCKET_BYTES = 4 * MIB;

/** Memory of the runtime, the program, and the threads with their buffers. */
const RUNTIME_BYTES = 192 * MIB;

/**
 * Usable share of the remaining memory, because garbage is collected late and not all memory is returned to
 * the system.
 */
const USABLE_SHARE = 0.6;

/** Limits of one request. */
export interface RequestBounds {
  readonly maxOutputBytes: number;
  readonly maxDecodedBytes: number;
  readonly maxBodyBytes: number;
}

/** Minimum for one request: enough for a request within the limits with chunks of ordinary size. */
export function leastRequestBytes({ maxOutputBytes, maxDecodedBytes, maxBodyBytes }: RequestBounds): number {
  return (
    REQUEST_BYTES +
    maxBodyBytes * (BODY_FACTOR + PARSED_BODY_FACTOR) +
    maxOutputBytes * 2 +
    Math.min(maxDecodedBytes * 2, READ_WINDOW_BYTES * 1.5) +
    SOCKET_BYTES
  );
}

/**
 * Maximum for one request: enough for the largest chunk within the limits, if that is at most half of
 * `requestMemoryBytes`.
 */
export function maxRequestBytes(requestMemoryBytes: number, bounds: RequestBounds): number {
  const wanted = leastRequestBytes(bounds) + 3 * bounds.maxDecodedBytes;
  return Math.min(
    requestMemoryBytes,
    Math.max(leastRequestBytes(bounds), Math.min(wanted, requestMemoryBytes / 2)),
  );
}

/** @param cacheBytes size of all caches: chunks, results, stored bytes and documents */
export function defaultRequestMemoryBytes(machineBytes: number, cacheBytes: number): number {
  return Math.max(0, Math.floor((machineBytes - RUNTIME_BYTES - cacheBytes) * USABLE_SHARE));
}
