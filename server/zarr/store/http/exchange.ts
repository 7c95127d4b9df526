/** One request to a server: what a store needs of whoever sends it. What an answer means is not known here. */

export interface Timeouts {
  /** From sending to the head of the answer. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
  readonly stallMs: number;
}

/** The head of an answer, as far as stores look at it. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: {
    /** Names are given in lower case. */
    get(name: string): string | null;
  };
  /** A browser shows only headers that the server exposes to other origins; the length is that before decompression. */
  readonly hidesHeaders?: boolean;
}

export interface Sent {
  readonly response: AnswerHead;
  /** The next piece of the body; undefined at its end. */
  nextPiece(): Promise<Uint8Array | undefined>;
  /** Holds the body of a whole object against what the server told of it. @throws TransientFailure */
  assertIntact?(bytes: Uint8Array): void;
  /** Gives the connection up, or back; the body is not read further. */
  discard(): void;
}

export interface Exchange {
  /**
   * Sends a request and returns when the head of the answer is there.
   * @throws TransientFailure for what the network or a timeout did; StoreDeniedError, StoreUnavailableError for answers
   * that are no answers to this request; AbortedError
   */
  send(
    method: 'GET' | 'HEAD',
    address: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Sent>;
}

/** A failure that another try may not meet. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  /** What the server asked to wait. */
  readonly afterMs: number | undefined;
  /** Whether it says something of the server as a whole, not only of this object. */
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
