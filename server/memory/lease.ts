/** One request's share of the memory budget. */
export interface MemoryLease {
  readonly held: number;
  /**
   * Set when a reservation of the request was refused. The lease then grants no more memory, and the
   * request should fail with this error.
   */
  readonly refusal: Error | undefined;
  /**
   * Reserves memory before it is used.
   * @returns undefined if it is granted immediately, else a promise that resolves when it is granted. The
   * promise rejects with BusyError if no memory became free in time, and if the signal fires or the lease
   * ends
   * @throws LimitError if the lease would exceed the maximum for one request
   */
  take(bytes: number, options?: TakeOptions): Promise<void> | undefined;
  /** Counts memory that is already in use, without checking limits. Use it only for small amounts. */
  add(bytes: number): void;
  /** Releases a part. */
  give(bytes: number): void;
  /** Releases everything. The lease grants nothing afterwards. */
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
