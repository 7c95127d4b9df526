/**
 * A signal of its own for work that others may cancel. Not `AbortSignal.any`: on Node 20 its signals stay in memory, with
 * everything that their listeners refer to, for as long as a listener for "abort" is left.
 */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(): void;
  /** The work has ended: the others let go of it. */
  unlink(): void;
}

/** @param others fire this one, with their reason */
export function linkSignals(...others: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links = others.flatMap((other) => {
    if (other === undefined) return [];
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
