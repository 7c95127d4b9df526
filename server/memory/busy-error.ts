/** The errors of the memory budget. */
import { LimitError } from '../zarr/index.js';

/**
 * The memory budget or the share of the client is exhausted, and no memory became free in time. The client
 * may retry.
 */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly limit = 'requestMemoryBytes';
  /** The memory budget in bytes. */
  readonly allowed: number;
  /** The number of bytes that the request needed in total. */
  readonly needed: number;
  readonly retryAfterSeconds = 2;

  constructor(allowed: number, needed: number) {
    super(
      'out of memory: no part of requestMemoryBytes that this client may use became free in time; retry in 2 s',
    );
    this.allowed = allowed;
    this.needed = needed;
  }
}

/** The request needs more memory than the maximum for one request. Retrying does not help. */
export function requestTooLarge(allowed: number, needed: number): LimitError {
  return new LimitError(
    `the request needs ${needed} bytes of memory at once; ` +
      `a single request may use ${allowed} of requestMemoryBytes; ` +
      'select fewer elements, use a coordinate with fewer labels or smaller chunks, or raise that option',
    { excess: [{ limit: 'requestMemoryBytes', allowed, needed }] },
  );
}
