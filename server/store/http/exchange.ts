/** Sends one request to a server. The caller interprets the response. */

export interface Timeouts {
  /** Maximum time from sending a request to the head of its response, in milliseconds. */
  readonly firstByteMs: number;
  /** Maximum time between two pieces of the body, in milliseconds. */
  readonly stallMs: number;
}

/** The part of a response's head that stores use. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: {
    /** Returns the value of a header. Names must be in lower case. */
    get(name: string): string | null;
  };
  /** Whether headers may be missing, because browsers hide those that the server does not expose. */
  readonly hidesHeaders?: boolean;
}

export interface Sent {
  readonly response: ResponseHead;
  /** The next piece of the body; undefined at its end. */
  nextPiece(): Promise<Uint8Array | undefined>;
  /**
   * Returns the whole body at once, which is faster than in pieces. `nextPiece` must not be called
   * afterwards.
   * @param progress receives the number of bytes that have arrived since the last call; if it throws, the
   * body is discarded
   * @param taken pieces that `nextPiece` has returned
   * @param acquire provides memory for a body of known length
   * @throws errors from `nextPiece` and `progress`
   */
  readonly collect?:
    | ((
        progress: (bytes: number) => void,
        taken?: readonly Uint8Array[],
        acquire?: (length: number) => Uint8Array,
      ) => Promise<Uint8Array>)
    | undefined;
  /** Compares the body of a whole object with its checksum. @throws TransientFailure if they differ */
  assertIntact?(bytes: Uint8Array): void;
  /** Releases the connection without reading the rest of the body. */
  discard(): void;
}

export interface StoreExchange {
  /**
   * Sends a request and returns when the head of the response has arrived.
   * @throws TransientFailure for network errors and timeouts; StoreDeniedError, StoreUnavailableError for
   * rejected requests; AbortedError if the signal fires
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
  /** The delay that the server requested, in milliseconds. */
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
