/** Reloads the array when it changes through this gateway. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../gateway/client.js';
import type { ArrayModel } from './model.js';

/** Counts changes of the metadata. A new count reloads the model. */
export const liveShape = signal(0);
export const isLive = signal(false);

/** Changes within this time, in ms, cause a single reload. */
const DEBOUNCE_MS = 150;
const RECONNECT_MS = 3000;

/** Subscribes to changes of the array. Does nothing for read-only stores, which do not change through the gateway. */
export function useLive({ store, path, canChange: isWatched }: ArrayModel): void {
  useEffect(() => {
    if (!isWatched) return undefined;
    const stop = new AbortController();
    watch(store, path, stop.signal).catch(() => {});
    return () => {
      stop.abort();
      isLive.value = false;
    };
  }, [store, path, isWatched]);
}

async function watch(store: string, path: string, stop: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // An append is a change of the shape, followed by one of the data.
  let hasNewMetadata = false;
  while (!stop.aborted) {
    try {
      isLive.value = true;
      for await (const { kind } of client.store(store).changes(path, { signal: stop })) {
        clearTimeout(timer);
        if (kind !== 'DATA') hasNewMetadata = true;
        timer = setTimeout(() => {
          if (hasNewMetadata) liveShape.value += 1;
          hasNewMetadata = false;
          liveVersion.value += 1;
        }, DEBOUNCE_MS);
      }
    } catch {
      // The stream was interrupted: changes may have been missed.
      if (!stop.aborted) liveVersion.value += 1;
    }
    isLive.value = false;
    if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

/** Counts changes of the values. A new count reloads the values. */
export const liveVersion = signal(0);
