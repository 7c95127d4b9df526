/** Limits the probes of an unavailable store. */
import { deferred } from '../core/deferred.js';

export interface ProbeBounds {
  /** Maximum time that an operation waits for a probe, in milliseconds. */
  readonly waitMs: number;
  /** Minimum time between two probes, in milliseconds. */
  readonly everyMs: number;
  /** Maximum number of probes in flight. Newer probes replace older ones, except the first. */
  readonly atOnce: number;
}

interface Probe {
  readonly startedAt: number;
  readonly controller: AbortController;
  /** The response to a probe. Rejects if the store did not respond. */
  readonly response: Promise<void>;
}

/** @param send sends a probe, and resolves when the store has responded */
export function createProbes(
  send: (key: string, signal: AbortSignal) => Promise<void>,
  { waitMs, everyMs, atOnce }: ProbeBounds,
) {
  const running: Probe[] = [];

  function stop(): void {
    for (const { controller } of running.splice(0)) controller.abort();
  }

  function start(key: string): Probe {
    if (running.length >= atOnce) running.splice(1, 1)[0]?.controller.abort();
    const controller = new AbortController();
    const response = send(key, controller.signal);
    const probe: Probe = { startedAt: performance.now(), controller, response };
    running.push(probe);
    response
      // Probes on older connections are no longer needed.
      .then(stop)
      .catch(() => {
        const at = running.indexOf(probe);
        if (at >= 0) running.splice(at, 1);
      });
    return probe;
  }

  return {
    /**
     * Resolves when a probe has succeeded, when a probe of this call has failed, or after `waitMs`. Never
     * rejects.
     */
    async wait(key: string): Promise<void> {
      const over = deferred();
      const timers = [setTimeout(over.resolve, waitMs)];
      for (const { response } of running) response.then(over.resolve, () => {});
      // Starts new probes repeatedly, because the last one may hang on an old connection.
      const ensure = (): void => {
        const newest = running.at(-1);
        const dueMs = newest === undefined ? 0 : newest.startedAt + everyMs - performance.now();
        // A failed probe that started after this call is conclusive.
        if (dueMs <= 0) start(key).response.then(over.resolve, over.resolve);
        timers[1] = setTimeout(ensure, dueMs <= 0 ? everyMs : dueMs);
      };
      ensure();
      await over.promise;
      for (const timer of timers) clearTimeout(timer);
    },
    /** Ends all probes. */
    stop,
  };
}
