import { LimitError } from '../zarr/index.js';

/** One request's share of the memory budget. */
export interface MemoryLease {
  readonly held: number;
  /**
   * Set when a reservation of the request was rejected with BusyError. The lease then grants no more memory,
   * and the request should fail with this error.
   */
  readonly refusal: Error | undefined;
  /**
   * Reserves memory before it is used.
   * @returns undefined if it is granted immediately, else a promise that resolves when it is granted. The
   * promise rejects with BusyError if no memory becomes free in time or too many reservations wait, and with
   * another error if the signal fires or the lease ends. After a BusyError or the end of the lease, each call
   * rejects
   * @throws LimitError if the lease would exceed the maximum for one request
   */
  take(bytes: number, options?: TakeOptions): Promise<void> | undefined;
  /**
   * Counts memory that is already in use, without checking limits. Use it for small amounts, and for amounts
   * that are known only afterwards.
   */
  add(bytes: number): void;
  /** Releases a part of the memory. */
  give(bytes: number): void;
  /** Releases all memory. The lease grants nothing afterwards. */
  end(): void;
}

export interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request may use the reserve. Set it to false for memory whose release depends on the
   * client.
   * @default true
   */
  readonly reserve?: boolean | undefined;
}

/** A lease that grants no memory, for contexts that do not execute operations. */
export const noMemory: MemoryLease = {
  held: 0,
  refusal: undefined,
  take(bytes) {
    if (bytes > 0) throw new Error('this context cannot execute operations: it has no memory budget');
    return undefined;
  },
  add() {},
  give() {},
  end() {},
};

// The errors of the memory budget.

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
export function tooLarge(allowed: number, needed: number): LimitError {
  return new LimitError(
    `the request needs ${needed} bytes of memory at once; a single request may use ${allowed} of requestMemoryBytes; select fewer elements, use a coordinate with fewer labels or smaller chunks, or raise that option`,
    { excess: [{ limit: 'requestMemoryBytes', allowed, needed }] },
  );
}
