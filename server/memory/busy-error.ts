/** The process has no memory left for a request, and none became free in time. Trying again later helps. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly limit = 'requestMemoryBytes';
  /** Bytes that all requests together may hold. */
  readonly allowed: number;
  /** Bytes that the request would have held. */
  readonly needed: number;
  readonly retryAfterSeconds = 2;

  constructor(allowed: number, needed: number) {
    super(
      'the gateway is out of memory for requests: others hold what requestMemoryBytes allows, and none became free in time; try again in 2 s',
    );
    this.allowed = allowed;
    this.needed = needed;
  }
}
