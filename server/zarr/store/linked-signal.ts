/** Signals for work that several other signals may cancel. */
import { allowManyListeners } from '#platform';

/**
 * A signal for work that several other signals may cancel. Does not use `AbortSignal.any`, because on Node
 * 20 its signals and their listeners leak memory as long as a listener for "abort" remains.
 */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(): void;
  /** Detaches from the other signals. Call it when the work has ended. */
  unlink(): void;
}

/** @param others signals that fire this one, with their reason */
export function linkSignals(...others: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = others.flatMap((other) => {
    if (other === undefined) return [];
    // Many reads may share a signal, so many listeners are expected.
    allowManyListeners(other);
    const forward = (): void => controller.abort(other.reason);
    if (other.aborted) forward();
    else other.addEventListener('abort', forward, { once: true });
    return [{ other, forward }];
  });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    unlink() {
      for (const { other, forward } of links) other.removeEventListener('abort', forward);
    },
  };
}
