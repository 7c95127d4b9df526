/** Reloads when the array changes through this gateway. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../gateway/client.js';
import type { ArrayModel } from './model.js';

/** Increases with every change of the values. */
export const liveVersion = signal(0);
/** Increases with every change of the metadata. */
export const liveShape = signal(0);
export const isLive = signal(false);

/** Changes within this time, in ms, cause one reload. */
const GATHER_MS = 150;
const RECONNECT_MS = 3000;

/** Read-only stores do not change through the gateway. */
export function useLive({ store, path, isWritable }: ArrayModel): void {
  useEffect(() => {
    if (!isWritable) return undefined;
    const stop = new AbortController();
    watch(store, path, stop.signal).catch(() => {});
    return () => {
      stop.abort();
      isLive.value = false;
    };
  }, [store, path, isWritable]);
}

async function watch(store: string, path: string, stop: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  while (!stop.aborted) {
    try {
      isLive.value = true;
      for await (const { kind } of client.store(store).changes(path, { signal: stop })) {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (kind !== 'DATA') liveShape.value += 1;
          liveVersion.value += 1;
        }, GATHER_MS);
      }
    } catch {
      // The stream was interrupted: changes may have been missed.
      if (!stop.aborted) liveVersion.value += 1;
    }
    isLive.value = false;
    if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}
