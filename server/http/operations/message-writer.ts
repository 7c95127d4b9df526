/** Messages to a client, written one after the other. */

export type MessageBody = string | readonly Uint8Array[] | ReadableStream<Uint8Array>;

export interface MessageWriter {
  /** Whether a message waits for the client. */
  readonly isBehind: boolean;
  /**
   * Resolves with the number of bytes when the operating system has accepted the message, or with 0 if the connection
   * has closed or the signal fired before the message started.
   */
  send(body: MessageBody, signal?: AbortSignal): Promise<number>;
}

/** What messages are written to. */
export interface MessageTarget {
  readonly isClosed: boolean;
  /** @returns the number of bytes, when the operating system has accepted the message */
  write(body: MessageBody): Promise<number>;
  /** Called when a message has been written or has failed. */
  written(): void;
  /** Closes the connection, because a partial message must not look complete. */
  fail(): void;
}

export function createMessageQueue(target: MessageTarget): MessageWriter['send'] {
  let last: Promise<unknown> = Promise.resolve();
  return (body, signal) => {
    const turn = last.then(async () => {
      if (target.isClosed || signal?.aborted === true) {
        if (body instanceof ReadableStream) await body.cancel();
        return 0;
      }
      try {
        return await target.write(body);
      } catch (error) {
        target.fail();
        throw error;
      } finally {
        target.written();
      }
    });
    last = turn.catch(() => {});
    return turn;
  };
}

/** Messages up to this size are written at once. */
const WHOLE_BYTES = 2 ** 16;

/** A small body as one buffer; undefined for any other. */
export function wholeMessage(body: MessageBody): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof ReadableStream) return undefined;
  const bytes = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return bytes <= WHOLE_BYTES ? Buffer.concat(body) : undefined;
}
