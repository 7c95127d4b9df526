import type { IncomingMessage } from 'node:http';

/** Result of reading a body: its bytes, too large, or cut off by the client. */
export type BodyResult =
  | { readonly kind: 'whole'; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly kind: 'tooLarge'; readonly needed: number | undefined }
  | { readonly kind: 'gone' };

/** The declared `Content-Length`, if any. */
export function announcedBytes(request: IncomingMessage): number | undefined {
  const length = request.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * Reads a whole request body. Never buffers more than `maxBytes`, regardless of what the client declares or
 * sends. An oversized body is discarded as it arrives, until the server's time limit for requests.
 * @param reserve reserves memory for bytes that have arrived; the socket is not read until it resolves
 * @throws errors from `reserve`
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => Promise<void> | undefined = () => undefined,
): Promise<BodyResult> {
  const announced = announcedBytes(request);
  if (announced !== undefined && announced > maxBytes) {
    request.resume();
    return Promise.resolve({ kind: 'tooLarge', needed: announced });
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (result: BodyResult): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(result);
    };
    const onData = (part: Buffer): void => {
      length += part.length;
      if (length <= maxBytes) {
        parts.push(part);
        wait(part.length);
        return;
      }
      settle({ kind: 'tooLarge', needed: undefined });
      request.on('error', () => {}).resume();
    };
    const wait = (bytes: number): void => {
      let granted: Promise<void> | undefined;
      try {
        granted = reserve(bytes);
      } catch (error) {
        granted = Promise.reject(asError(error));
      }
      if (granted === undefined) return;
      request.pause();
      granted.then(
        () => request.resume(),
        (error: unknown) => {
          request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
          request.on('error', () => {}).resume();
          reject(asError(error));
        },
      );
    };
    const onEnd = (): void => {
      settle({ kind: 'whole', bytes: Buffer.concat(parts, length) });
    };
    const onGone = (): void => {
      settle({ kind: 'gone' });
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
