/** One request's share of the memory budget. */
export interface MemoryLease {
  readonly held: number;
  /**
   * Set once memory was refused to the request. Nothing more is granted, and the request should fail with
   * this error.
   */
  readonly refusal: Error | undefined;
  /**
   * Reserves memory before it is used.
   * @returns undefined if it is granted immediately, else a promise that resolves when it is granted. The
   *   promise rejects with BusyError if no memory became free in time, and if the signal fires or the lease
   *   ends
   * @throws LimitError for more than one request may hold
   */
  take(bytes: number, options?: TakeOptions): Promise<void> | undefined;
  /** Counts memory that is already in use, without a limit. Only for small amounts. */
  add(bytes: number): void;
  /** Releases a part. */
  give(bytes: number): void;
  /** Releases everything. The lease grants nothing afterwards. */
  end(): void;
}

export interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request may use the reserve, which is granted to one request at a time so that it can finish.
   * Set it to false for memory whose release depends on the client. @default true
   */
  readonly reserve?: boolean | undefined;
}

/** Grants no memory; for contexts that execute nothing. */
export const noMemory: MemoryLease = {
  held: 0,
  refusal: undefined,
  take(bytes) {
    if (bytes > 0) throw new Error('this context has no memory to execute operations');
    return undefined;
  },
  add() {},
  give() {},
  end() {},
};
