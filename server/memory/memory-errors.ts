/** The errors of the memory budget. */
import { LimitError } from '../zarr/index.js';

/** The memory budget is exhausted, and no memory became free in time. The client may retry. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly limit = 'requestMemoryBytes';
  /** The memory budget in bytes. */
  readonly allowed: number;
  /** Bytes that the request needed. */
  readonly needed: number;
  readonly retryAfterSeconds = 2;

  constructor(allowed: number, needed: number) {
    super(
      'out of memory: other requests use all of requestMemoryBytes, and no memory became free in time; retry in 2 s',
    );
    this.allowed = allowed;
    this.needed = needed;
  }
}

/** The request needs more memory than the maximum for one request. Retrying does not help. */
export function tooLarge(allowed: number, needed: number): LimitError {
  return new LimitError(
    `the request needs ${needed} bytes of memory at once; one request may hold ${allowed} of requestMemoryBytes; select less, or raise that option`,
    { excess: [{ limit: 'requestMemoryBytes', allowed, needed }] },
  );
}
