/** A time limit between two pieces of data. Each piece restarts the timer. */
import { TransportError } from '../errors.js';

export type StallGuard = ReturnType<typeof createStallGuard>;

/** @param stallMs time limit; 0 for no limit */
export function createStallGuard(outer: AbortSignal, stallMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touch = () => {
    clearTimeout(timer);
    if (stallMs === 0 || controller.signal.aborted) return;
    timer = setTimeout(
      () => controller.abort(new TransportError('STALLED', `no data for ${stallMs} ms`)),
      stallMs,
    );
  };
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  touch();
  return {
    /** Fires with the outer signal, or with STALLED. */
    signal: controller.signal,
    /** Restarts the timer. */
    touch,
    /** Fires the signal. */
    abort,
    /** Stops the timer and releases the outer signal. */
    close(): void {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
