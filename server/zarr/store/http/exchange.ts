/** Sends one request to a server. The caller interprets the response. */

export interface Timeouts {
  /** Maximum time from sending to the head of the response. */
  readonly firstByteMs: number;
  /** Maximum time between two pieces of the body. */
  readonly stallMs: number;
}

/** The head of a response, as far as stores use it. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: {
    /** Names must be in lower case. */
    get(name: string): string | null;
  };
  /**
   * The headers. Browsers hide headers that the server does not expose to other origins. The length is that
   * before decompression.
   */
  readonly hidesHeaders?: boolean;
}

export interface Sent {
  readonly response: AnswerHead;
  /** The next piece of the body; undefined at its end. */
  nextPiece(): Promise<Uint8Array | undefined>;
  /**
   * Returns the whole body at once, which is faster. Must be the last call.
   * @param progress receives the number of bytes that have arrived since the last call; if it throws, the body is
   *   discarded
   * @param taken pieces that `nextPiece` has returned
   * @throws errors from `nextPiece` and `progress`
   */
  readonly collect?: (
    progress: (bytes: number) => void,
    taken?: readonly Uint8Array[],
  ) => Promise<Uint8Array>;
  /** Compares the body of a whole object with its checksum. @throws TransientFailure */
  assertIntact?(bytes: Uint8Array): void;
  /** Releases the connection without reading the rest of the body. */
  discard(): void;
}

export interface Exchange {
  /**
   * Sends a request and returns when the head of the response has arrived.
   * @throws TransientFailure for network errors and timeouts; StoreDeniedError, StoreUnavailableError for
   * refused requests; AbortedError
   */
  send(
    method: 'GET' | 'HEAD',
    address: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Sent>;
}

/** A failure that may not recur on a retry. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  /** The delay that the server requested. */
  readonly afterMs: number | undefined;
  /** Whether the failure affects the whole server, not only this object. */
  readonly isOutage: boolean;

  constructor(
    message: string,
    options: { cause?: unknown; afterMs?: number | undefined; isOutage?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.afterMs = options.afterMs;
    this.isOutage = options.isOutage ?? true;
  }
}
