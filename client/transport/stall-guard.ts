/** A time limit between two pieces of data. Each piece restarts the timer. */
import { TransportError } from '../errors.js';

export interface StallGuard {
  /** Fires with the outer signal, or with STALLED. */
  readonly signal: AbortSignal;
  /** Restarts the timer. */
  readonly touch: () => void;
  /** Fires the signal. */
  readonly abort: () => void;
  /** Stops the timer and releases the outer signal. */
  readonly close: () => void;
}

/** @param stallMs time limit; 0 for no limit */
export function createStallGuard(outer: AbortSignal, stallMs: number): StallGuard {
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
    signal: controller.signal,
    touch,
    abort,
    close() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
