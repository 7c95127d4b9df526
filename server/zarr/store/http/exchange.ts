/** Sends one request to a server. Interpreting the response is left to the caller. */

export interface Timeouts {
  /** From sending to the head of the response. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
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
   * Browsers hide headers that the server does not expose to other origins; the length is that before
   * decompression.
   */
  readonly hidesHeaders?: boolean;
}

export interface Sent {
  readonly response: AnswerHead;
  /** The next piece of the body; undefined at its end. */
  nextPiece(): Promise<Uint8Array | undefined>;
  /**
   * The rest of the body at once, which is faster; it may be longer or shorter than expected. The last call.
   * @param expected bytes, with those of `taken`; memory for them is taken as they arrive
   * @param progress receives the number of bytes of each piece; if it throws, the body is given up
   * @param taken pieces that `nextPiece` has returned
   * @throws like nextPiece; errors of `progress`
   */
  readonly collect?: (
    expected: number,
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
   *   responses that do not answer the request; AbortedError
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
  /** Whether it concerns the server as a whole, not only this object. */
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
