/** What one request holds of the memory of the process. */
export interface MemoryLease {
  readonly held: number;
  /** Set once the request was refused memory: nothing more is granted, and it should end with this error. */
  readonly refusal: Error | undefined;
  /**
   * Asks for memory before it is used.
   * @returns undefined where it is granted at once, else when it is granted; rejects with BusyError where none became
   *   free in time, and where the signal fires or the lease ends
   * @throws LimitError for what no single request may hold
   */
  take(bytes: number, options?: TakeOptions): Promise<void> | undefined;
  /** Counts memory that is in use already, whatever else is. Keep it small: nothing bounds it. */
  add(bytes: number): void;
  /** Gives a part back. */
  give(bytes: number): void;
  /** Gives everything back. The lease grants nothing afterwards. */
  end(): void;
}

export interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the reserve may be used, which one request at a time gets so that it can finish. Not for what waits for the
   * client. @default true
   */
  readonly reserve?: boolean | undefined;
}

/** For contexts that run nothing: grants no memory. */
export const noMemory: MemoryLease = {
  held: 0,
  refusal: undefined,
  take(bytes) {
    if (bytes > 0) throw new Error('this context has no memory to run operations with');
    return undefined;
  },
  add() {},
  give() {},
  end() {},
};
