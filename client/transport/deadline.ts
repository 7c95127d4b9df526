import { TransportError } from '../errors.js';

/**
 * Combines a caller's signal and a time limit into one signal, whose `reason` is the error to throw.
 * @param timeoutMs time limit; 0 for no limit
 */
export function createDeadline(signal: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(
      new TransportError('ABORTED', 'the call was aborted by its signal', { cause: signal?.reason }),
    );
  const timer =
    timeoutMs === 0
      ? undefined
      : setTimeout(
          () => controller.abort(new TransportError('TIMEOUT', `no response within ${timeoutMs} ms`)),
          timeoutMs,
        );
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    /** Stops the timer and releases the caller's signal. Call it when the work is done. */
    close(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** The error to throw when the signal has fired. */
export function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Error) return reason;
  return new TransportError('ABORTED', 'the call was aborted by its signal', { cause: reason });
}

/** Settles like the promise, or rejects with the signal's reason as soon as it fires. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Waits for a time in ms. Rejects with the signal's reason if it fires. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(waited, signal).finally(() => clearTimeout(timer));
}
