/** Memory sizes that parts of a request are counted with (docs/operations.md has the formula). */

const MIB = 2 ** 20;

/** A request before it executes: its connection, headers, document and context. */
export const REQUEST_BYTES = 32 * 1024;

/** A response field, including the objects around it. */
export const FIELD_BYTES = 128;

/** A body is held twice while its pieces are joined. */
export const BODY_FACTOR = 2;

/** Parsed values relative to the body: short numbers in lists take 8 bytes each, short lists more. */
export const PARSED_BODY_FACTOR = 4;

/** Encoded and decoded chunks that one request has in flight, unless a single read needs more. */
export const READ_WINDOW_BYTES = 32 * MIB;

/** The part of a response that is in the system's socket buffer. */
export const SOCKET_BYTES = 4 * MIB;

/** The runtime, the program, its threads and their buffers for chunks. */
const RUNTIME_BYTES = 192 * MIB;

/**
 * Share of the remaining memory that can be used: garbage is collected late, and not all of it is returned to
 * the system.
 */
const USABLE_SHARE = 0.6;

/** Limits of one request. */
export interface RequestBounds {
  readonly maxOutputBytes: number;
  readonly maxDecodedBytes: number;
  readonly maxBodyBytes: number;
}

/** The minimum that a request within the limits must be able to hold, with chunks of ordinary size. */
export function leastRequestBytes({ maxOutputBytes, maxDecodedBytes, maxBodyBytes }: RequestBounds): number {
  return (
    REQUEST_BYTES +
    maxBodyBytes * (BODY_FACTOR + PARSED_BODY_FACTOR) +
    maxOutputBytes * 2 +
    Math.min(maxDecodedBytes * 2, READ_WINDOW_BYTES * 1.5) +
    SOCKET_BYTES
  );
}

/** Maximum for one request: enough for the largest chunk within the limits, if the process has that. */
export function maxRequestBytes(requestMemoryBytes: number, bounds: RequestBounds): number {
  const wanted = leastRequestBytes(bounds) + 3 * bounds.maxDecodedBytes;
  return Math.min(
    requestMemoryBytes,
    Math.max(leastRequestBytes(bounds), Math.min(wanted, requestMemoryBytes / 2)),
  );
}

/** @param cacheBytes size of all caches: chunks, stored bytes and documents */
export function defaultRequestMemoryBytes(machineBytes: number, cacheBytes: number): number {
  return Math.max(0, Math.floor((machineBytes - RUNTIME_BYTES - cacheBytes) * USABLE_SHARE));
}
