/** Lists the names of the nodes of a store in the background, for searches. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Hierarchy } from '../zarr/index.js';

export interface KeepNamesOptions {
  /** Least time between two listings, which take at most a tenth of the time. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly listed: (nodes: number, heldBytes: number, milliseconds: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Share of the time in which nothing is listed, as a multiple of a listing. */
const REST = 9;

/** Runs until the signal fires. @returns a function that begins the next listing at once */
export function keepNames(
  hierarchy: Pick<Hierarchy, 'listNames'>,
  { intervalMs, signal, listed, failed }: KeepNamesOptions,
): () => void {
  let waiting = new AbortController();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const started = performance.now();
      waiting = new AbortController();
      try {
        const { size, heldBytes } = await hierarchy.listNames({ signal });
        listed(size, heldBytes, performance.now() - started);
      } catch (error) {
        if (signal.aborted) return;
        failed(error);
      }
      const restMs = Math.max(intervalMs, REST * (performance.now() - started));
      const stop = AbortSignal.any([signal, waiting.signal]);
      await wait(restMs, undefined, { ref: false, signal: stop }).catch(() => {});
    }
  }

  run().catch(failed);
  return () => waiting.abort();
}
