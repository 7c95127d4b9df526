/** The memory budget is exhausted, and no memory became free in time. The client may retry. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly code = 'LIMIT_EXCEEDED';
  readonly limit = 'requestMemoryBytes';
  /** The memory budget in bytes. */
  readonly allowed: number;
  /** Bytes that the request needed. */
  readonly needed: number;
  readonly retryAfterSeconds = 2;

  constructor(allowed: number, needed: number) {
    super(
      'out of memory: other requests hold what requestMemoryBytes allows, and none became free in time; retry in 2 s',
    );
    this.allowed = allowed;
    this.needed = needed;
  }
}
